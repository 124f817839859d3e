import type { JsonObject } from "../../protocol/mod.ts";
import type { FileToolName, FileTools, FileToolSettings, ToolOutcome } from "../port.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { createFileToolHost, type FileToolHost } from "./host.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { Refusal, systemReason } from "./refusal.ts";
import { write } from "./write.ts";

/** The file tools in this process. */
export function createFileTools(settings: FileToolSettings): FileTools {
  const host = createFileToolHost(settings);
  return {
    run: async (tool, input, signal, judged) => {
      if (signal.aborted) return failure("cancelled before it began");
      try {
        const boundary = judged === undefined ? host.boundary : { ...host.boundary, judged };
        return await FILE_TOOLS[tool](input, { ...host, boundary }, signal);
      } catch (error) {
        const reason = error instanceof Refusal ? error.message : systemReason(error);
        if (reason === undefined) throw error;
        return failure(reason);
      }
    },
  };
}

/** One function a tool. It throws `Refusal` for what cannot be done. */
type FileTool = (input: JsonObject, host: FileToolHost, signal: AbortSignal) => Promise<ToolOutcome>;

const FILE_TOOLS = {
  Read: read,
  Glob: glob,
  Grep: grep,
  LS: ls,
  Write: write,
  Edit: edit,
} as const satisfies Record<FileToolName, FileTool>;

function failure(content: string): ToolOutcome {
  return { is_error: true, content };
}
