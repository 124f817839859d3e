/** What the fields of templates stand for at one emission (design.md, section 6.1). */
import { type Occasion, POINT_TABLE, type RunScope, subjectOf } from "../protocol/mod.ts";
import type { TemplateFields } from "../text/mod.ts";

/** The values of all fields; `timestamp` is shown in local time. */
export function templateFields(occasion: Occasion, scope: RunScope, timestamp: Date): TemplateFields {
  const { point } = occasion;
  return {
    Point: point,
    SessionId: scope.session_id,
    Cwd: scope.project_dir,
    ToolName: POINT_TABLE[point].subject === "tool_name" ? subjectOf(occasion) : null,
    UserMessage: point === "input" ? occasion.prompt : null,
    AgentId: scope.agent?.id ?? null,
    AgentType: scope.agent?.type ?? null,
    Timestamp: localTime(timestamp),
  };
}

/** `yyyy-MM-dd HH:mm:ss` in the time zone of this process. */
function localTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}
