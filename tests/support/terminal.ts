/** The program in a terminal, as a person has it. */
import { programCommand, type World } from "./world.ts";

/** Runs the program in a real terminal: tmux on a socket of its own. */
export async function inTerminal(
  world: World,
  args: readonly string[],
  use: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const socket = `${world.root}/tmux-${crypto.randomUUID().slice(0, 8)}.sock`;
  const tmux = async (...words: string[]) => {
    const { stdout } = await new Deno.Command("tmux", { args: ["-S", socket, ...words], stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  };
  const env = [
    `HOME=${world.userHome}`,
    `SOONG_AGENT_HOME=${world.home}`,
    `PATH=${Deno.env.get("PATH")}`,
    `DENO_DIR=${Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`}`,
    "TERM=screen",
  ];
  const words = ["env", "-i", ...env, ...programCommand(), ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const line = `cd '${world.project}' && ${words.join(" ")}; echo "EXIT-CODE:$?"; sleep 100`;
  await tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", line);
  try {
    await use({
      screen: () => tmux("capture-pane", "-p"),
      keys: async (...keys) => {
        // A person needs longer than this to read a question; what comes sooner was typed before it.
        await new Promise((resolve) => setTimeout(resolve, 300));
        await tmux("send-keys", ...keys);
      },
    });
  } finally {
    await tmux("kill-server");
  }
}

export interface Terminal {
  screen(): Promise<string>;
  keys(...keys: string[]): Promise<void>;
}
