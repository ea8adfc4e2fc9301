import { readFile } from "node:fs/promises";
import { keyId, parsePublicKeys } from "../signing/key.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import type { VerifyOptions } from "../verify/options.js";
import type { KeyVerdict, Problem, Verdict } from "../verify/verdict.js";
import { verify } from "../verify/verify.js";
import type { ExitCode } from "./exit-code.js";
import { print } from "./output.js";
import { progressLine } from "./progress.js";
import { type Parsed, parse, UsageError, wholeNumber } from "./usage.js";

/** `suite-audit verify DIR [--key FILE] [--anchor FILE]... [--witnesses FILE [--policy N]] [--every-signature] [--json] [--progress]` */
export async function verifyCommand(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, ["key", "anchor", "witnesses", "policy"], ["json", "progress", "every-signature"]);
  const { path, all, last, has } = parsed;
  const keyFile = last("key");
  const key = keyFile === undefined ? undefined : await readFile(keyFile, "utf8");
  const anchor = await Promise.all(all("anchor").map((file) => readFile(file, "utf8")));
  const progress = progressLine(process.stderr, has("progress"));
  const everySignature = has("every-signature");
  const options = {
    anchor,
    everySignature,
    ...(await witnessesOf(parsed)),
    ...(key !== undefined && { key }),
    ...(progress && { onProgress: progress.tell }),
  };
  const verdict = await verify(path, options).finally(() => progress?.end());
  const lines = has("json") ? [JSON.stringify(verdict)] : report(verdict, await directoryKeysOf(path));
  // Escaped when printed: a record may contain any string, also in a file name.
  for (const line of lines) print(line);
  return exitCodeOf(verdict);
}

async function witnessesOf({ last }: Parsed): Promise<Pick<VerifyOptions, "witnesses">> {
  const [file, policy] = [last("witnesses"), last("policy")];
  if (file === undefined && policy !== undefined) throw new UsageError("--policy requires --witnesses.");
  if (file === undefined) return {};
  const keys = await readFile(file, "utf8");
  return { witnesses: { keys, ...(policy !== undefined && { policy: wholeNumber("policy", policy, 1, 1000) }) } };
}

const isInDoubt = (verdict: Verdict): boolean =>
  !isByOtherKeys(verdict) && verdict.problems.every(({ doubt }) => doubt);

/** Returns true if none of the passed keys has signed a file of this log. */
const isByOtherKeys = ({ problems, keys }: Verdict): boolean =>
  problems.some(({ kind }) => kind === "unknown_key") && keys.every(({ files }) => files === 0);

const exitCodeOf = (verdict: Verdict): ExitCode => (verdict.ok ? 0 : isInDoubt(verdict) ? 3 : 1);

/** Returns the names and ids of the keys in the log's directory. */
async function directoryKeysOf(path: string): Promise<readonly string[]> {
  const keys = parsePublicKeys((await publicKeysOf(path)) ?? "", nodeCryptography.sha256);
  return keys.map((key) => `${key.name}+${keyId(key, nodeCryptography.sha256)}`);
}

const report = (verdict: Verdict, directoryKeys: readonly string[]): string[] => [
  headline(verdict, directoryKeys),
  ...verdict.problems.map(describe),
  ...keyLines(verdict.keys).map((line) => `  ${line}`),
  ...limits(verdict).map((line) => `  ${line}`),
];

/** Returns a line per key with the number of its records. Returns none for a single key without a period. */
function keyLines(keys: Verdict["keys"]): string[] {
  const isUnlimited = ({ from, until, revoked }: KeyVerdict) => (from ?? until ?? revoked) === undefined;
  if (keys.length < 2 && keys.every(isUnlimited)) return [];
  return keys.map((key) => {
    const notes = (["from", "until", "revoked"] as const).map((word) => (key[word] ? `; ${word} ${key[word]}` : ""));
    return `key ${key.name}+${key.id}: ${count(key.records, "record")} in ${count(key.files, "file")}${notes.join("")}`;
  });
}

function headline(verdict: Verdict, directoryKeys: readonly string[]): string {
  const { ok, size, files, problems } = verdict;
  const proven = `${count(size, "record")} in ${count(files.length, "file")}, all unchanged and in order`;
  if (ok) return `verified: ${proven}`;
  if (isByOtherKeys(verdict)) {
    const hint = directoryKeys.length === 0 ? "" : ` The log's directory names ${directoryKeys.join(", ")}.`;
    return `NOT VERIFIED: no file is signed by ${verdict.keys.map(({ name, id }) => `${name}+${id}`).join(" or ")}.${hint} Is this the key of another log?`;
  }
  if (isInDoubt(verdict)) return `IN DOUBT: how ${count(problems.length, "file")} ended. Verified: ${proven}`;
  return `NOT VERIFIED: ${count(problems.length, "problem")}`;
}

function describe({ kind, file, line, lastLine, index, doubt, message }: Problem): string {
  const lines = line === undefined ? "" : lastLine === undefined ? `, line ${line}` : `, lines ${line} to ${lastLine}`;
  const record = index === undefined ? "" : `, ${lastLine === undefined ? "" : "from "}record ${index}`;
  return `  ${file}${lines}${record}: ${kind}${doubt ? ", or never acknowledged" : ""}. ${message}`;
}

/** Returns the limits of the verdict, as sentences. */
function limits({ attestation, size, tail, anchored, deleted, witnessed }: Verdict): string[] {
  const out: string[] = [];
  if (deleted.length > 0)
    out.push(`${count(deleted.length, "file")} deleted by retention: their heads are in the log.`);
  if (tail > 0)
    out.push(
      `${count(tail, "byte")} after the last checkpoint ${tail === 1 ? "is" : "are"} unproven and ignored: a killed process leaves them, or another program added them.`,
    );
  if (attestation === "self") {
    out.push(
      "self-attested: the key is from the log's directory. Anyone with the signing key could have written the whole log; see --key.",
    );
  }
  if (witnessed && attestation === "witness") {
    const { policy, of, time, by } = witnessed;
    out.push(`Cosigned by ${policy} of ${of} witnesses on ${time}: ${by.map(({ name }) => name).join(", ")}.`);
    out.push(
      `The cosigned head covers ${anchored} of the ${count(size, "record")}. Records written after it can have been cut off.`,
    );
  } else if (attestation === "anchor") {
    out.push(`An anchor covers ${anchored} of the ${count(size, "record")}.`);
    out.push("Records written after the anchor can have been cut off.");
  } else out.push("Commits that were cut off at the end cannot be detected without an anchor; see --anchor.");
  return out;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
