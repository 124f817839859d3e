/** Calls, places and shells for the tests. */
import type { RulePlace } from "../../src/config/mod.ts";
import type { JsonObject, ToolCall } from "../../src/protocol/mod.ts";

export const PLACE: RulePlace = { home: "/home/u/.soong-agent", project_dir: "/srv/project", user_home: "/home/u" };

export function call(name: string, input: JsonObject, path?: string): ToolCall {
  return { id: "c1", name, input, tier: "dangerous", tags: ["dangerous"], ...(path !== undefined && { path }) };
}

export function bash(command: string): ToolCall {
  return call("Bash", { command });
}

/**
 * A folder with a `bin` of small programs that note in `log` how they were called, and a shell that knows only these.
 */
export interface ShellWorld extends Disposable {
  /** Runs a line in `/bin/sh`; gives each call that was made and the files that it made. */
  run(line: string): { readonly calls: readonly string[]; readonly files: readonly string[] };
}

export function shellWorld(): ShellWorld {
  const root = Deno.makeTempDirSync({ prefix: "soong-config-shell-" });
  const bin = `${root}/bin`;
  let count = 0;
  Deno.mkdirSync(bin);
  for (const name of ["rm", "git", "curl"]) script(name, `printf '%s\\036' "${name} $*" >> "$LOG"`);
  for (const name of ["sudo", "xargs", "nohup"]) script(name, 'exec "$@"');
  for (const name of ["sh", "cat", "env"]) {
    const real = ["/bin", "/usr/bin"].map((folder) => `${folder}/${name}`).find(exists);
    if (real !== undefined) Deno.symlinkSync(real, `${bin}/${name}`);
  }

  function script(name: string, body: string): void {
    Deno.writeTextFileSync(`${bin}/${name}`, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }

  return {
    run(line) {
      // A folder and a log for each run: what a line leaves in the background writes into its own.
      count += 1;
      const [cwd, log] = [`${root}/cwd-${count}`, `${root}/log-${count}`];
      Deno.mkdirSync(cwd);
      new Deno.Command("/bin/sh", {
        args: ["-c", line],
        cwd,
        clearEnv: true,
        env: { PATH: bin, LOG: log },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).outputSync();
      return {
        calls: exists(log) ? Deno.readTextFileSync(log).split("\x1e").slice(0, -1) : [],
        files: [...Deno.readDirSync(cwd)].map((entry) => entry.name),
      };
    },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
