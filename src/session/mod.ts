/**
 * session/ — the record of a session: its event log, its large results, its reading back.
 *
 * In: events of the agent, in order. Out: `${SOONG_AGENT_HOME}/sessions/<id>.jsonl`, one JSON line for each event,
 * written whole in one write through one open handle, numbered from 1 and chained (`prev` is the SHA-256 of the line
 * before). `assistant_delta` is stamped but never written: it carries the number of the last line and the head as
 * they stand, so that the numbers in the file have no gap. One process at a time writes a session; the lock goes with
 * the process, also on `kill -9`.
 *
 * Failure: a disk that refuses throws `SessionWriteError`, and the file still ends with the last whole line. A half
 * line that a crash left is set aside as `<id>.jsonl.torn-<n>` on resume. A log that is damaged before its end (a
 * whole record follows) is refused and left as it is: going on from the part before would hide what was done to it.
 * Calls without a result get one that says whether they had started.
 */
export { createArtifactPort } from "./artifact_port.ts";
export { ARTIFACT_THRESHOLD_BYTES, type ArtifactPlace, createArtifactStore } from "./artifacts.ts";
export { createSession, type NewSession } from "./create.ts";
export { findSession, type FoundSession, type SessionWish } from "./find.ts";
export { listSessions, PROMPT_LENGTH, type SessionSummary } from "./list.ts";
export type * from "./port.ts";
export { readSession, type SessionLine } from "./read.ts";
export { type ResumeOutcome, resumeSession, type SessionChoice } from "./resume.ts";
export { summarize } from "./summary.ts";
export { type ChainFault, type ExpectedChain, type Verification, verifySession } from "./verify.ts";
export { SessionWriteError } from "./write_error.ts";
