import { readFile } from "node:fs/promises";
import { fileNameOf } from "../log/format.js";
import { type Checked, checkConsistency, checkInclusion } from "../proofs/check.js";
import { parseProof } from "../proofs/proof-text.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { openAnchors } from "../verify/anchors.js";
import type { ExitCode } from "./exit-code.js";
import { print } from "./output.js";
import { keysIn } from "./public-keys.js";
import { parse, UsageError } from "./usage.js";

/** `suite-audit check-proof FILE --key FILE [--anchor CHECKPOINT]`: checks a proof with the key, without the log. */
export async function checkProof(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["key", "anchor"]);
  const keyFile = last("key");
  if (keyFile === undefined)
    throw new UsageError("--key FILE is required: a proof can only be checked with a key that you trust.");
  const keys = await keysIn(keyFile);
  const proof = parseProof(await readFile(path, "utf8"));
  if (proof.kind === "inclusion") {
    const checked = await checkInclusion(proof, keys, nodeCryptography);
    print(checked.holds ? `proven: record ${proof.index} of ${positionOf(checked)}` : refuted[checked.because]);
    if (checked.holds) print(new TextDecoder().decode(proof.record));
    return checked.holds ? 0 : 1;
  }
  const anchorFile = last("anchor");
  if (anchorFile === undefined)
    throw new UsageError("--anchor CHECKPOINT is required: this proof refers to a checkpoint that you kept.");
  const [anchor] = await openAnchors([await readFile(anchorFile, "utf8")], keys, nodeCryptography);
  const checked = anchor && (await checkConsistency(proof, anchor, keys, nodeCryptography));
  if (!checked?.holds) {
    print(refuted[checked?.because ?? "other_log"]);
    return 1;
  }
  print(`proven: the first ${proof.oldSize} records are those of the anchor, of ${positionOf(checked)}`);
  return 0;
}

const positionOf = ({ checkpoint: { size, origin } }: Checked & { readonly holds: true }): string =>
  `${size} in ${fileNameOf(origin)}, signed as ${origin}`;

const refuted = {
  not_signed: "NOT PROVEN: its checkpoint is not signed by this key.",
  other_log: "NOT PROVEN: it refers to another checkpoint than the anchor.",
  wrong_hashes: "NOT PROVEN: its hashes do not match the signed root.",
};
