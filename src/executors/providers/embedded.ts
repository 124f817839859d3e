/** The provider definitions that come with the program: the lowest layer. */
import type { ProviderDefinition } from "../../hooks/mod.ts";

/** Definitions of the layer `embedded`. */
export const EMBEDDED_DEFINITIONS: readonly ProviderDefinition[] = [
  {
    name: "dingtalk",
    display_name: "DingTalk bot",
    method: "POST",
    url: "https://oapi.dingtalk.com/robot/send",
    headers: {},
    body: { msgtype: "text", text: { content: "{{Text}}" } },
    signing: { preset: "dingtalk" },
    success: { field: "errcode", equals: 0 },
  },
];
