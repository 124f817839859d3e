/**
 * Makes the program one file.
 *
 *     deno task compile [--target TARGET] [--output FILE] [--no-bundle]
 *
 * First the modules are bundled, dynamic imports as files of their own, because a bundled program starts in about two
 * thirds of the time; then the bundle is compiled. The Deno that runs this script does the work, or the one in `DENO`;
 * `DENORT_BIN` names the runtime to put the program on where it cannot be downloaded (for this machine's target only).
 */
import { join, resolve } from "node:path";
import config from "../deno.json" with { type: "json" };

/** What the program may do at all. Each command drops what it does not need; children are never given more by these. */
export const PERMISSIONS: readonly string[] = [
  "--no-prompt",
  "--deny-import",
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-env",
  "--allow-net",
];

/** The machines that Deno can compile for. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** Modules that are started by their file and not by an import: the program, and workers. */
const ENTRY_POINTS = ["main.ts"] as const;

/** What is asked for. */
export interface CompileRequest {
  /** Undefined: this machine. */
  readonly target: typeof TARGETS[number] | undefined;
  /** Absolute. */
  readonly output: string;
  readonly bundle: boolean;
}

/** Reads the script's arguments; a string is what is wrong with them. */
export function compileRequest(args: readonly string[], root: string): CompileRequest | string {
  let [target, output, bundle]: [string | undefined, string, boolean] = [undefined, "dist/soong-agent", true];
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = args[index]!.split(/=(.*)/s, 2) as [string, string | undefined];
    if (name === "--no-bundle") {
      bundle = false;
      continue;
    }
    if (name !== "--target" && name !== "--output") return `unknown argument ${name}`;
    const value = inline ?? args[++index];
    if (!value) return `${name} needs a value`;
    if (name === "--target") target = value;
    else output = value;
  }
  const known = TARGETS.find((name) => name === target);
  if (target !== undefined && known === undefined) {
    return `unknown target ${target}; the targets are ${TARGETS.join(", ")}`;
  }
  return { target: known, output: resolve(root, output), bundle };
}

/** The arguments of `deno bundle`. */
export function bundleArguments(folder: string): readonly string[] {
  return ["bundle", "--quiet", "--frozen", "--code-splitting", "--outdir", folder, ...ENTRY_POINTS];
}

/** The arguments of `deno compile` for an entry file. */
export function compileArguments({ target, output }: CompileRequest, entry: string): readonly string[] {
  const forTarget = target === undefined ? [] : ["--target", target];
  return ["compile", "--quiet", "--no-check", "--frozen", ...PERMISSIONS, ...forTarget, "--output", output, entry];
}

async function compile(request: CompileRequest, root: string): Promise<string | undefined> {
  const deno = Deno.env.get("DENO") || Deno.execPath();
  const native = request.target === undefined || request.target === Deno.build.target;
  const environment = Deno.env.toObject();
  if (!native) delete environment["DENORT_BIN"];
  const run = async (args: readonly string[]) => {
    const child = new Deno.Command(deno, { args: [...args], cwd: root, clearEnv: true, env: environment });
    return (await child.spawn().status).success;
  };

  const folder = join(root, "dist", "bundle");
  try {
    if (request.bundle && !await run(bundleArguments(folder))) {
      return "deno bundle failed; where its esbuild cannot be had from npm, --no-bundle compiles without, for a slower start";
    }
    const entry = request.bundle ? join(folder, "main.js") : "main.ts";
    if (!await run(compileArguments(request, entry))) {
      return "deno compile failed; where its runtime cannot be downloaded, DENORT_BIN has to name one of the same version";
    }
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
  return native ? await unexpectedVersion(request.output) : undefined;
}

/** Starts the fresh binary once. */
async function unexpectedVersion(binary: string): Promise<string | undefined> {
  const { stdout } = await new Deno.Command(binary, { args: ["--version"] }).output();
  const said = new TextDecoder().decode(stdout).trim();
  return said === `soong-agent ${config.version}` ? undefined : `the binary does not start: --version said "${said}"`;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname ?? ".", "..");
  const request = compileRequest(Deno.args, root);
  const problem = typeof request === "string" ? request : await compile(request, root);
  if (problem !== undefined) {
    console.error(`compile: ${problem}`);
    Deno.exit(typeof request === "string" ? 2 : 1);
  }
  console.log(`compiled ${(request as CompileRequest).output}`);
}
