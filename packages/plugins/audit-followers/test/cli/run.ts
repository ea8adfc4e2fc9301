import { join } from "node:path";
import { printed, run } from "../../../audit/test/cli/run.js";
import { main } from "../../src/cli/main.js";

/** Runs `suite-audit-follow` or `suite-audit-witness` in this process. */
export const runHere = (name: "follow" | "witness", args: readonly string[]) =>
  printed(() => main(`suite-audit-${name}`, args));

const built = join(import.meta.dirname, "..", "..", "dist", "follow-cli.js");

/** Runs the built `suite-audit-follow`. */
export const runFollow = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(args, { env }, built);
