import { unlink, writeFile } from "node:fs/promises";
import { ed25519Signer, generatePrivateKey } from "../signing/ed25519.js";
import { formatPublicKey } from "../signing/key.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import type { ExitCode } from "./exit-code.js";
import { parse, UsageError } from "./usage.js";

/** `suite-audit keygen FILE [--name NAME]`: creates a key pair. Never overwrites a file. */
export async function keygen(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["name"]);
  const privateKey = generatePrivateKey(last("name"));
  const publicKey = formatPublicKey(ed25519Signer(privateKey), nodeCryptography.sha256);
  // The public key is written first. It is worthless alone, but a private key without its public key would be used, and
  // no one could verify its signatures.
  await writeFile(`${path}.pub`, `${publicKey}\n`, { flag: "wx" }).catch(isThere);
  await writeFile(path, `${privateKey}\n`, { flag: "wx", mode: 0o600 }).catch(async (error: unknown) => {
    await unlink(`${path}.pub`);
    isThere(error);
  });
  console.log(
    `signing key: ${path} (do not store it next to the log)\npublic key:  ${path}.pub (pass it to verifiers)\nverifier key: ${publicKey}\n              (a log signs under names that begin with this one: \`suite-audit verifier-key DIR\` prints the keys)`,
  );
  return 0;
}

/** Throws the error of a file that could not be written. Existing files are never overwritten. */
function isThere(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  throw new UsageError(
    `${(error as NodeJS.ErrnoException).path ?? "The file"} already exists, and keys are not overwritten. Use another name.`,
  );
}
