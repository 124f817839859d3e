/** Keeps tool results that are too large for the conversation, one file each. */
import { dirname, join } from "node:path";
import type { ArtifactStore } from "./port.ts";
import { makePrivateDir, writePrivateFile } from "./private_files.ts";
import { writing } from "./write_error.ts";

/** Largest tool result in UTF-8 bytes that stays in the conversation. */
export const ARTIFACT_THRESHOLD_BYTES: number = 32 * 1024;

/** What a store needs. */
export interface ArtifactPlace {
  /** Absolute. */
  readonly home: string;
  readonly session_id: string;
}

/**
 * A store below `artifacts/<session>/` of the home. Files are numbered in the order of the session, also over a
 * resume, and are for the user only. `put` throws `SessionWriteError`.
 */
export function createArtifactStore({ home, session_id: sessionId }: ArtifactPlace): ArtifactStore {
  const folder = join(home, "artifacts", sessionId);
  let count: number | undefined;

  return {
    put(name, content) {
      count ??= writing("the artifacts folder", folder, () => prepareFolder(folder));
      const bytes = new TextEncoder().encode(content);
      for (;;) {
        count += 1;
        const file = `${String(count).padStart(4, "0")}-${safeName(name)}.txt`;
        const path = join(folder, file);
        const written = writing("the artifact", path, () => writePrivateFile(path, bytes));
        if (written) return { ref: `artifacts/${sessionId}/${file}`, path };
      }
    },
    drop(ref) {
      const path = join(home, ref);
      if (dirname(path) !== folder) throw new TypeError(`Cannot drop ${ref}: it is no artifact of this session`);
      writing("the artifacts folder", path, () => Deno.removeSync(path));
    },
  };
}

/** Makes the folder and gives the highest number in it. */
function prepareFolder(folder: string): number {
  makePrivateDir(folder);
  const numbers = [...Deno.readDirSync(folder)].map((entry) => Number.parseInt(entry.name, 10));
  return Math.max(0, ...numbers.filter(Number.isSafeInteger));
}

function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[._-]+/, "").slice(0, 60);
  return safe === "" ? "result" : safe;
}
