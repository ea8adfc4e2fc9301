import { text } from "node:stream/consumers";
import { openLog } from "../log/log.js";
import { eraseSubject } from "../subjects/erase.js";
import type { ExitCode } from "./exit-code.js";
import { commandSigner } from "./signer.js";
import { subjectKeysIn } from "./subject-keys.js";
import { parse, UsageError } from "./usage.js";

/** `suite-audit erase DIR --keys KEYS --subject ID|- [--signing-key FILE]`: returns 1 if the subject has no key. */
export async function erase(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["keys", "subject", "signing-key"]);
  const dir = last("keys");
  const option = last("subject");
  if (dir === undefined || option === undefined) throw new UsageError("erase takes --keys and --subject.");
  const keys = await subjectKeysIn(dir);
  const subject = option === "-" ? (await text(process.stdin)).trim() : option;
  if (subject === "") throw new UsageError("The subject is empty.");
  const log = await openLog({ dir: path, ...(await commandSigner(path, last("signing-key"))) });
  try {
    const { kid } = await eraseSubject(subject, keys, log);
    if (kid === undefined) console.log("This subject has no key. Nothing to erase.");
    else console.log(`erased: the key ${kid}. Content that was encrypted with it can no longer be read.`);
    return kid === undefined ? 1 : 0;
  } finally {
    await log.close();
  }
}
