import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SHARE_ENV, Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openLog, verify } from "@suite/audit";
import { formatPublicKey, nodeCryptography } from "@suite/audit/internal";
import { temporaryDirectory } from "../../audit/test/support.js";
import { type Pkcs11SignerOptions, pkcs11Signer } from "../src/pkcs11.js";

const PIN = "4711-0815";
const library = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/local/lib/softhsm/libsofthsm2.so"].find(existsSync) ?? "";
const sdk = await import("pkcs11js").then(
  (module) => module.default as unknown as typeof import("pkcs11js"),
  () => undefined,
);
const missing =
  library === "" ? "SoftHSM (apt-get install softhsm2)" : sdk ? "" : "a built pkcs11js (npm rebuild pkcs11js)";
if (missing !== "") {
  if (process.env.CI) throw new Error(`The tests cannot run: there is no ${missing}.`);
  console.error(`Tests are skipped: there is no ${missing}.`);
}

const key = (label: string, more: Partial<Pkcs11SignerOptions> = {}): Pkcs11SignerOptions => ({
  name: "example.com/hsm",
  library,
  token: "audit",
  pin: PIN,
  label,
  ...more,
});

beforeAll(async () => {
  if (missing !== "" || !sdk) return;
  const dir = await temporaryDirectory();
  await mkdir(join(dir, "tokens"));
  await writeFile(join(dir, "conf"), `directories.tokendir = ${join(dir, "tokens")}\nobjectstore.backend = file\n`);
  await setVariable("SOFTHSM2_CONF", join(dir, "conf"));
  const token = ["--init-token", "--free", "--label", "audit", "--pin", PIN, "--so-pin", "so-pin"];
  execFileSync("softhsm2-util", token, { stdio: "pipe", env: { ...process.env, SOFTHSM2_CONF: join(dir, "conf") } });
  makeKeys(sdk);
});
afterAll(() => setVariable("SOFTHSM2_CONF", undefined));

/** Sets a variable of this process for its libraries: `process.env` of a test is Jest's copy, which they do not see. */
async function setVariable(name: string, value: string | undefined): Promise<void> {
  const set = `const { name, value } = require("node:worker_threads").workerData;
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;`;
  await once(new Worker(set, { eval: true, env: SHARE_ENV, workerData: { name, value } }), "exit");
}

function makeKeys(pkcs11: typeof import("pkcs11js")): void {
  const { CKA_TOKEN, CKA_LABEL, CKA_ID, CKA_EC_PARAMS, CKA_PRIVATE, CKA_SIGN, CKA_VERIFY } = pkcs11;
  const hsm = new pkcs11.PKCS11();
  hsm.load(library);
  hsm.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK });
  const slot = hsm.C_GetSlotList(true).find((each) => hsm.C_GetTokenInfo(each).label.trim() === "audit");
  const session = hsm.C_OpenSession(slot as Buffer, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION);
  hsm.C_Login(session, pkcs11.CKU_USER, PIN);
  const EDWARDS_KEY_PAIR_GEN = 0x1055;
  const kinds: [string, number, string, string][] = [
    ["p-256", pkcs11.CKM_EC_KEY_PAIR_GEN, "06082a8648ce3d030107", "01"],
    ["ed25519", EDWARDS_KEY_PAIR_GEN, "06032b6570", "02"],
    ["p-384", pkcs11.CKM_EC_KEY_PAIR_GEN, "06052b81040022", "03"],
    ["twice", pkcs11.CKM_EC_KEY_PAIR_GEN, "06082a8648ce3d030107", "04"],
    ["twice", pkcs11.CKM_EC_KEY_PAIR_GEN, "06082a8648ce3d030107", "05"],
  ];
  for (const [label, mechanism, curve, id] of kinds) {
    const both = [
      { type: CKA_TOKEN, value: true },
      { type: CKA_LABEL, value: label },
      { type: CKA_ID, value: Buffer.from(id, "hex") },
    ];
    const params = { type: CKA_EC_PARAMS, value: Buffer.from(curve, "hex") };
    const secret = { type: CKA_PRIVATE, value: true };
    hsm.C_GenerateKeyPair(
      session,
      { mechanism },
      [...both, params, { type: CKA_VERIFY, value: true }],
      [...both, secret, { type: CKA_SIGN, value: true }],
    );
  }
  hsm.C_CloseSession(session);
}

(missing === "" ? describe : describe.skip)("a signer of a PKCS#11 token (SoftHSM)", () => {
  it.each(["p-256", "ed25519"])("signs with a key of %s, many at once, and the log verifies", async (label) => {
    const signer = await pkcs11Signer(key(label));
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, signer });
    await Promise.all(Array.from({ length: 20 }, (_, n) => log.append({ n })));
    for (let n = 0; n < 5; n++) await log.append({ n });
    await log.close();
    const publicKey = formatPublicKey(signer, nodeCryptography.sha256);
    expect(await verify(dir, { key: publicKey, everySignature: true })).toMatchObject({ ok: true, size: 26 });
    const both = await Promise.all([signer.sign(Buffer.from("a")), signer.sign(Buffer.from("b"))]);
    const valid = both.map((signature, n) =>
      nodeCryptography.verify(signer.type, signer.bytes, Buffer.from("ab"[n] ?? ""), signature),
    );
    expect(valid).toEqual([true, true]);
    await signer.close();
  });

  it("takes up a session that has ended", async () => {
    const signer = await pkcs11Signer(key("p-256"));
    await signer.close();
    expect((await signer.sign(Buffer.from("x"))).length).toBeGreaterThan(60);
    await signer.close();
  });

  it("says what is not as it was told to be, and never the PIN", async () => {
    const publicKey = formatPublicKey(await pkcs11Signer(key("ed25519")), nodeCryptography.sha256);
    const wrong: [Partial<Pkcs11SignerOptions>, string][] = [
      [{ label: "nobody" }, "ERR_AUDIT_KEYS_INVALID_KEY"],
      [{ label: "twice" }, "ERR_AUDIT_KEYS_INVALID_KEY"],
      [{ label: "p-384" }, "ERR_AUDIT_KEYS_INVALID_KEY"],
      [{ token: "other" }, "ERR_AUDIT_KEYS_INVALID_KEY"],
      [{ publicKey }, "ERR_AUDIT_KEYS_INVALID_KEY"],
    ];
    for (const [more, code] of wrong) {
      const error = await pkcs11Signer(key("p-256", more)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code });
      expect(String((error as Error).stack)).not.toContain(PIN);
    }
    await (await pkcs11Signer(key("twice", { id: "05" }))).close();
    const { label: _, ...none } = key("");
    await expect(pkcs11Signer(none)).rejects.toMatchObject({ code: "ERR_AUDIT_KEYS_INVALID_OPTION" });
  });
});
