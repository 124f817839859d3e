/** What every child of this process carries in its environment, so that it can be told from all others after a `kill -9`. */
export const MARK = { name: "SOONG_AGENT_PROCESS", value: crypto.randomUUID() } as const;
