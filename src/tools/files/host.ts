/** What each file tool is given beside its input: the places it may touch and the memory of the session. */
import type { FileToolSettings } from "../port.ts";
import type { Boundary } from "./boundary.ts";
import { PathQueue } from "./path_queue.ts";
import { SeenFiles } from "./seen_files.ts";
import { SensitiveFiles } from "./sensitive_files.ts";

/** State and settings of the file tools. */
export interface FileToolHost {
  readonly boundary: Boundary;
  readonly sensitive: SensitiveFiles;
  readonly seen: SeenFiles;
  /** Changes of files go through this queue, by real path. */
  readonly changes: PathQueue;
}

/** A host that has seen nothing yet. */
export function createFileToolHost(settings: FileToolSettings): FileToolHost {
  const { project_dir, added_dirs, sensitive } = settings;
  return {
    boundary: { project_dir, added_dirs },
    sensitive: new SensitiveFiles(sensitive, project_dir),
    seen: new SeenFiles(),
    changes: new PathQueue(),
  };
}
