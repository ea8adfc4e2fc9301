import { anchorLog } from "../log/anchor.js";
import type { ExitCode } from "./exit-code.js";
import { writeLines } from "./output.js";
import { commandSigner } from "./signer.js";
import { parse } from "./usage.js";

/**
 * `suite-audit anchor DIR [--signing-key FILE] [--out FILE]`: creates a checkpoint of the whole log. Nothing is
 * verified.
 */
export async function anchorCommand(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["signing-key", "out"]);
  const checkpoint = await anchorLog(path, await commandSigner(path, last("signing-key")));
  async function* text() {
    yield checkpoint.slice(0, -1);
  }
  await writeLines(text(), last("out"));
  return 0;
}
