import { main } from "./src/cli/mod.ts";

Deno.exit(await main(Deno.args));
