import { readFile } from "node:fs/promises";
import { printable } from "@suite/kit/text";
import { retain } from "../retention/retain.js";
import type { ExitCode } from "./exit-code.js";
import { commandSigner } from "./signer.js";
import { parse, UsageError } from "./usage.js";

const FLAGS = ["dry-run", "force"];

/** `suite-audit retain DIR --older-than DAYSd [--key FILE] [--signing-key FILE] [--dry-run] [--force]` */
export async function retainCommand(args: readonly string[]): Promise<ExitCode> {
  const { path, last, has } = parse(args, ["older-than", "key", "signing-key"], FLAGS);
  const [, days] = /^(\d{1,6})d$/.exec(last("older-than") ?? "") ?? [];
  if (days === undefined) throw new UsageError("--older-than takes a number of days, for example 184d.");
  const keyFile = last("key");
  const { deleted, kept } = await retain(path, {
    olderThanDays: Number(days),
    dryRun: has("dry-run"),
    force: has("force"),
    ...(keyFile !== undefined && { key: await readFile(keyFile, "utf8") }),
    // A dry run writes no record, so that it needs no signer.
    ...(!has("dry-run") && (await commandSigner(path, last("signing-key")))),
  });
  const done = has("dry-run") ? "would be deleted" : "deleted";
  for (const { file, size } of deleted) console.log(printable(`${done}: ${file}, ${size} records`));
  for (const { file, why } of kept) console.log(printable(`kept: ${file}, ${reasons[why]}`));
  if (deleted.length === 0) console.log("No file is old enough.");
  return kept.some(({ why }) => why === "damaged") ? 1 : 0;
}

const reasons = {
  damaged: "which is damaged: see verify",
  wanted: "which must be kept",
  written: "which was written in the meantime",
};
