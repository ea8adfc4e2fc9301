import type { Verdict, VerifyOptions } from "../src/index.js";
import type { Cryptography } from "../src/signing/cryptography.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { verifySources } from "../src/verify/verify-sources.js";

/** Most signatures are the same, however a log is changed. */
const known = new Map<string, boolean>();
const cryptography: Cryptography = {
  ...nodeCryptography,
  async verify(type, publicKey, message, signature) {
    const name = Buffer.concat([publicKey, signature, message]).toString("latin1");
    const valid = known.get(name) ?? (await nodeCryptography.verify(type, publicKey, message, signature));
    known.set(name, valid);
    return valid;
  },
  async verifyAside(...asked) {
    return cryptography.verify(...asked);
  },
};

/** The verdict of `verify` on a directory that holds these files. */
export function verifyInMemory(
  disk: ReadonlyMap<string, Uint8Array>,
  ownKey: string,
  options: VerifyOptions = {},
): Promise<Verdict> {
  const files = [...disk].map(([name, bytes]) => ({ name, read: () => [bytes] }));
  return verifySources({ files, where: "Memory", ownKey, cryptography }, options);
}

/** The problems that are beyond doubt. */
export const tampering = ({ problems }: Verdict) => problems.filter(({ doubt }) => !doubt);
