import { readFile } from "node:fs/promises";
import { isLogFile } from "../log/format.js";
import { type ConsistencyText, formatProof, type InclusionText } from "../proofs/proof-text.js";
import { findById, proveConsistency, proveInclusion } from "../proofs/prove.js";
import { logFilesOf } from "../query/records-of.js";
import type { PublicKey } from "../signing/key.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { openAnchors } from "../verify/anchors.js";
import type { ExitCode } from "./exit-code.js";
import { writeLines } from "./output.js";
import { keysFor } from "./public-keys.js";
import { type Parsed, parse, UsageError, wholeNumber } from "./usage.js";

/** `suite-audit prove DIR (--file F --index N | --id ID | --consistency CHECKPOINT) [--key FILE] [--out FILE]` */
export async function prove(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, ["file", "index", "id", "consistency", "key", "out"]);
  const make = requestedProof(parsed);
  const proof = await make(parsed.path, await keysFor(parsed.path, parsed.last("key")));
  await writeLines(once(formatProof(proof)), parsed.last("out"), "");
  return 0;
}

type Make = (dir: string, keys: readonly PublicKey[]) => Promise<InclusionText | ConsistencyText>;

/**
 * Returns the function that creates the requested proof.
 *
 * @throws UsageError
 */
function requestedProof({ last }: Parsed): Make {
  const [file, index, id, anchor] = [last("file"), last("index"), last("id"), last("consistency")];
  if (anchor !== undefined && [file, index, id].every((other) => other === undefined)) return fromAnchor(anchor);
  if (id !== undefined && index === undefined && anchor === undefined) return ofId(id, file);
  if (file !== undefined && index !== undefined && id === undefined && anchor === undefined) {
    const [name, at] = [logFile(file), wholeNumber("index", index, 0, Number.MAX_SAFE_INTEGER)];
    return (dir, keys) => proveInclusion(dir, name, at, keys);
  }
  throw new UsageError("One of these is required: --file FILE --index N, --id ID, or --consistency CHECKPOINT.");
}

const fromAnchor =
  (path: string): Make =>
  async (dir, keys) => {
    const [old] = await openAnchors([await readFile(path, "utf8")], keys, nodeCryptography);
    if (!old) throw new UsageError("--consistency takes a checkpoint.");
    return proveConsistency(dir, old, keys);
  };

const ofId = (id: string, file: string | undefined): Make => {
  const names = file === undefined ? undefined : [logFile(file)];
  return async (dir, keys) => {
    const found = await findById(dir, names ?? (await logFilesOf(dir)).map(({ name }) => name), id);
    return proveInclusion(dir, found.file, found.index, keys);
  };
};

/** Returns the name of a log file from its name or a path that ends with it. */
function logFile(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isLogFile(name)) return name;
  throw new UsageError("--file takes the name of a log file: audit-….jsonl.");
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
