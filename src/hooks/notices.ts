/** What the user is told about hooks: once a hook, code and cause; later repeats are in the reports only. */
import type { EmissionResult } from "./port.ts";

/** Something to say about a hook. */
export interface Notice {
  readonly hook_id: string;
  readonly code: string;
  /** Tells apart what has one code but several causes. */
  readonly cause?: string;
  readonly message: string;
}

/** Remembers what has been said in this session. */
export interface NoticeMemory {
  /** Those of the notices that are new, in order, without their bookkeeping. */
  fresh(notices: readonly Notice[]): EmissionResult["notices"];
}

/** A memory in which nothing has been said yet. */
export function createNoticeMemory(): NoticeMemory {
  const said = new Set<string>();
  return {
    fresh: (notices) =>
      notices.flatMap(({ hook_id, code, cause, message }) => {
        const key = JSON.stringify([hook_id, code, cause ?? ""]);
        if (said.has(key)) return [];
        said.add(key);
        return [{ code, message }];
      }),
  };
}
