/** The one place where Deno is asked to start a program. */

/**
 * Spawns. Throws what Deno throws, except where the agent's own working directory has been deleted: Deno 2.7 cannot
 * start anything from there, whatever `cwd` says, so the agent moves to `/` (relative paths had lost their meaning
 * already).
 */
export function spawn(program: string, options: Deno.CommandOptions): Deno.ChildProcess {
  const command = new Deno.Command(program, options);
  try {
    return command.spawn();
  } catch (error) {
    if (!ownFolderIsGone()) throw error;
    Deno.chdir("/");
    return command.spawn();
  }
}

function ownFolderIsGone(): boolean {
  try {
    Deno.cwd();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
