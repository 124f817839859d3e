import * as z from "zod/mini";
import { defineTool } from "./define_tool.ts";
import type { Tool } from "./port.ts";

/** The tool that keeps the model's list of tasks; each call replaces the list. */
export function todoWriteTool(): Tool {
  let todos: readonly Todo[] = [];
  return defineTool({
    name: "TodoWrite",
    description:
      "Replaces your list of tasks and returns it. Use it to plan work of several steps and to keep track: one " +
      "task in progress at a time, completed ones marked at once.",
    tier: "readonly",
    tags: ["internal", "plan"],
    arguments: TODO_ARGUMENTS,
    run: (input) => {
      todos = (input as unknown as { todos: readonly Todo[] }).todos;
      const rows = todos.map(({ content, status }) => `${MARKS[status]} ${content.replace(/\s*\n\s*/g, " ")}`);
      const counts = Object.fromEntries(STATUSES.map((status) => [status, count(todos, status)]));
      return Promise.resolve({
        is_error: false,
        content: rows.length === 0 ? "The list of tasks is empty" : rows.join("\n"),
        metadata: { total: todos.length, ...counts },
      });
    },
  });
}

const STATUSES = ["pending", "in_progress", "completed"] as const;
type Status = (typeof STATUSES)[number];

const MARKS = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const satisfies Record<Status, string>;

interface Todo {
  readonly content: string;
  readonly status: Status;
}

const TODO_ARGUMENTS = z.strictObject({
  todos: z.array(z.strictObject({
    content: z.string().check(z.minLength(1), z.describe("What is to be done")),
    status: z.enum(STATUSES),
    activeForm: z.optional(z.string().check(z.describe("The same, as something being done"))),
    id: z.optional(z.string()),
    priority: z.optional(z.string()),
  })).check(z.describe("The whole list, in order")),
});

function count(todos: readonly Todo[], status: Status): number {
  return todos.filter((todo) => todo.status === status).length;
}
