import * as z from "zod/mini";
import { defineTool } from "./define_tool.ts";
import type { Tool } from "./port.ts";

/**
 * The tool that hands out a form for plans. It writes nothing: the plan itself is written with Write or Edit, so hooks
 * on those see it like any other file.
 */
export function planTemplateTool(plansDir: string): Tool {
  return defineTool({
    name: "agent.plan_template",
    description: "Returns a template for a written plan. It writes nothing: fill it in and save it with Write.",
    tier: "readonly",
    tags: ["agent", "plan"],
    arguments: PLAN_ARGUMENTS,
    run: (input) => {
      const { goal, suggested_dir = plansDir } = input as { goal?: string; suggested_dir?: string };
      return Promise.resolve({
        is_error: false,
        content: template(goal, suggested_dir),
        metadata: {
          node_type: "plan_instruction",
          template_id: "template.plan.default",
          template_version: "1",
          ...(goal !== undefined && { goal }),
          suggested_dir,
        },
      });
    },
  });
}

const PLAN_ARGUMENTS = z.strictObject({
  goal: z.optional(z.string().check(z.describe("What the plan is to reach"))),
  suggested_dir: z.optional(z.string().check(z.minLength(1), z.describe("Folder for the plan file"))),
});

function template(goal: string | undefined, folder: string): string {
  return `Write a plan with these sections and save it with Write as a Markdown file in ${folder} (a short name of ` +
    `the goal, for example ${folder.replace(/\/+$/, "")}/add-login.md). Leave out a section that has nothing to say.

# Plan: ${goal?.trim() || "<goal>"}

## Goal
What is different for the user when this is done.

## What is there
The files, functions and tests that matter, with their paths.

## Steps
1. One change a step: which file, what changes, how it is checked.

## Risks
What could go wrong, and what is done about it.

## Done when
Commands to run and what they must show.`;
}
