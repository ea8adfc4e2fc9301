import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openLog, type Signer, verify } from "../../src/index.js";
import { derOf, rawOf } from "../../src/signing/ecdsa.js";
import { formatPublicKey, parsePublicKey } from "../../src/signing/key.js";
import { nodeCryptography } from "../../src/signing/node-cryptography.js";
import { webCryptography } from "../../src/signing/web-cryptography.js";
import { verifyFiles } from "../../src/verify.js";
import { runHere } from "../cli/run.js";
import { logFiles, temporaryDirectory } from "../support.js";

function p256(name = "example.com/support"): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const bytes = new Uint8Array(publicKey.export({ format: "der", type: "spki" }));
  return {
    name,
    type: 2,
    bytes,
    sign: (message) => sign("sha256", message, createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }))),
  };
}

async function written(signer: Signer) {
  const dir = await temporaryDirectory();
  const log = await openLog({ dir, signer });
  for (let n = 0; n < 5; n++) await log.append({ n });
  await log.close();
  const [file = ""] = await logFiles(dir);
  return { dir, file, key: await readFile(join(dir, "key.pub"), "utf8") };
}

describe("a key of P-256", () => {
  it("has the id and the text that public implementations give it: that of Sigstore's Rekor", () => {
    const rekor =
      "rekor.sigstore.dev+c0d23d6a+AjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNhtmPtrWm3U1eQXBogSMdGvXwBcK5AW5i0hrZLOC96l+smGNM7nwZ4QvFK/4sueRoVj//QP22Ni4Qt9DPfkWLc=";
    const key = parsePublicKey(rekor, nodeCryptography.sha256);
    expect([key.type, formatPublicKey(key, nodeCryptography.sha256)]).toEqual([2, rekor]);
    expect(() => parsePublicKey(rekor.replace("AjBZ", "AjBa"), nodeCryptography.sha256)).toThrow(
      expect.objectContaining({ code: "ERR_AUDIT_INVALID_KEY" }),
    );
  });

  it("signs a log that verifies, by WebCrypto and by the command too", async () => {
    const { dir, file, key } = await written(p256());
    const verdict = await verify(dir, { key });
    expect(verdict).toMatchObject({ ok: true, size: 6, attestation: "key" });
    expect(await verify(dir, { key, everySignature: true })).toMatchObject({ ok: true, size: 6 });
    const files = [{ name: file, bytes: await readFile(join(dir, file)) }];
    expect(await verifyFiles(files, { key })).toEqual(verdict);
    expect((await runHere(["verify", dir])).code).toBe(0);
  });

  it("finds what was changed, and who signed with another key", async () => {
    const { dir, file, key } = await written(p256());
    const other = (await written(p256())).key;
    expect((await verify(dir, { key: other })).problems).toMatchObject([{ kind: "unknown_key" }]);
    const text = await readFile(join(dir, file), "utf8");
    await writeFile(join(dir, file), text.replace('"n":3', '"n":4'));
    for (const problems of [
      (await verify(dir, { key })).problems,
      (await verifyFiles([{ name: file, bytes: await readFile(join(dir, file)) }], { key })).problems,
    ]) {
      expect(problems).toMatchObject([{ kind: "record_altered", index: 4 }]);
    }
  });

  it("is refused where it is on another curve, or no key", async () => {
    const dir = await temporaryDirectory();
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const bytes = new Uint8Array(publicKey.export({ format: "der", type: "spki" }));
    for (const wrong of [bytes, new Uint8Array(91)]) {
      await expect(openLog({ dir, signer: { ...p256(), bytes: wrong } })).rejects.toMatchObject({
        code: "ERR_AUDIT_INVALID_KEY",
      });
    }
  });

  it.each([
    ["64 zero bytes", new Uint8Array(64)],
    ["nothing", new Uint8Array()],
    ["half", undefined],
  ])("fails the append if the signer returns %s", async (_, given) => {
    const dir = await temporaryDirectory();
    const key = p256();
    const lies = { ...key, sign: async (message: Uint8Array) => given ?? (await key.sign(message)).subarray(0, 30) };
    const log = await openLog({ dir, signer: lies });
    await expect(log.append({ n: 1 })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_SIGNATURE" });
    await log.close();
  });
});

describe("a signature in DER", () => {
  it("is the same two numbers without it, and has one spelling", () => {
    const bytes = fc.oneof(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constant(new Uint8Array(64)));
    fc.assert(fc.property(bytes, (raw) => expect(rawOf(derOf(raw))).toEqual(raw)));
  });

  it("is taken or refused alike by Node and WebCrypto, whatever it is", async () => {
    const key = p256();
    const message = Buffer.from("message");
    const signature = new Uint8Array(await key.sign(message));
    const changed = fc.tuple(fc.nat(signature.length - 1), fc.nat(255), fc.nat(3)).map(([at, to, cut]) => {
      const copy = signature.slice(0, signature.length - cut);
      copy[at] = to;
      return copy;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.constant(signature)), async (bytes) => {
        const both = await Promise.all(
          [nodeCryptography, webCryptography].map((crypto) => crypto.verify(2, key.bytes, message, bytes)),
        );
        expect(both[0]).toBe(both[1]);
        expect(both[0]).toBe(Buffer.compare(bytes, signature) === 0);
      }),
    );
  });
});
