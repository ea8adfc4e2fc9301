import { readFile } from "node:fs/promises";
import type { Problem, Verdict } from "../verify/verdict.js";
import { verify } from "../verify/verify.js";
import type { ExitCode } from "./main.js";
import { parse } from "./usage.js";

/** `suite-audit verify DIR [--key FILE] [--anchor FILE]` */
export async function verifyCommand(args: readonly string[]): Promise<ExitCode> {
  const { path, all, last } = parse(args, ["key", "anchor"]);
  const keyFile = last("key");
  const verdict = await verify(path, {
    ...(keyFile !== undefined && { key: await readFile(keyFile, "utf8") }),
    anchor: await Promise.all(all("anchor").map((file) => readFile(file, "utf8"))),
  });
  console.log(verdict.ok ? proven(verdict) : damaged(verdict));
  for (const problem of verdict.problems) console.log(describe(problem));
  for (const line of limits(verdict)) console.log(`  ${line}`);
  return verdict.ok ? 0 : 1;
}

const proven = ({ size, files }: Verdict): string =>
  `verified: ${count(size, "record")} in ${count(files.length, "file")}, each as it was signed and in its place`;

const damaged = ({ problems }: Verdict): string => `NOT VERIFIED: ${count(problems.length, "problem")}`;

function describe({ kind, file, line, lastLine, index, message }: Problem): string {
  const lines = line === undefined ? "" : lastLine === undefined ? `, line ${line}` : `, lines ${line} to ${lastLine}`;
  const record = index === undefined ? "" : `, ${lastLine === undefined ? "" : "from "}record ${index}`;
  return `  ${file}${lines}${record}: ${kind}. ${message}`;
}

/** What the verdict does not say. */
function limits({ attestation, size, tail, anchored }: Verdict): string[] {
  const out: string[] = [];
  if (tail > 0)
    out.push(`${count(tail, "byte")} after the last checkpoint: written and never acknowledged, not tampering.`);
  if (attestation === "self") {
    out.push(
      "self-attested: the key came from the log's own directory. Whoever holds the signing key could have written all of it; see --key.",
    );
  }
  if (attestation === "anchor") out.push(`An anchor holds ${anchored} of the ${count(size, "record")}.`);
  if (anchored < size) out.push("Commits cut off at the end cannot be seen without an anchor; see --anchor.");
  return out;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
