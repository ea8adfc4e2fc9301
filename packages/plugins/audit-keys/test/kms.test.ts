import { execFileSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { v1 } from "@google-cloud/kms";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { openLog, type Signer, verify } from "@suite/audit";
import { formatPublicKey, nodeCryptography } from "@suite/audit/internal";
import { isThere } from "../../../../scripts/needs.mjs";
import { temporaryDirectory } from "../../audit/test/support.js";
import { awsKmsSigner } from "../src/aws-kms.js";
import { type GcpKmsClient, gcpKmsSigner } from "../src/gcp-kms.js";

/** The fake of Google's service signs digests by openssl. */
const signs = isThere("openssl", "the tests of keys in a cloud");

type Pair = { publicKey: KeyObject; privateKey: KeyObject };
const pairs: Record<string, () => Pair> = {
  "P-256": () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  Ed25519: () => generateKeyPairSync("ed25519"),
};

/** A service that keeps keys: what the fakes of two clouds have in common. */
const service = {
  keys: new Map<string, Pair>(),
  aliases: new Map<string, string>(),
  /** The faults that the next requests meet in place of an answer. */
  next: [] as (number | "hang")[],
  requests: 0,
};

const ARN = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const VERSION = "projects/p/locations/global/keyRings/r/cryptoKeys/audit/cryptoKeyVersions/1";

let server: Server;
let port = 0;
let folder = "";
beforeAll(async () => {
  folder = await temporaryDirectory();
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", async () => {
      service.requests++;
      const instead = service.next.shift();
      if (instead === "hang") return;
      const target = request.headers["x-amz-target"];
      const body = JSON.parse(Buffer.concat(pieces).toString() || "{}");
      const answer = await (typeof target === "string" ? aws(target, body) : gcp(request.url ?? "", body));
      response.writeHead(instead ?? 200, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  service.next = [];
  service.requests = 0;
});

/** AWS KMS, as its JSON protocol has it. */
function aws(
  target: string,
  body: { KeyId: string; Message?: string; MessageType?: string; SigningAlgorithm?: string },
) {
  const arn = service.aliases.get(body.KeyId) ?? body.KeyId;
  const key = service.keys.get(arn);
  if (!key) return { __type: "NotFoundException" };
  if (target === "TrentService.GetPublicKey") {
    return { KeyId: arn, PublicKey: key.publicKey.export({ format: "der", type: "spki" }).toString("base64") };
  }
  const isEdwards = key.publicKey.asymmetricKeyType === "ed25519";
  expect(body).toMatchObject({ MessageType: "RAW", SigningAlgorithm: isEdwards ? "ED25519_SHA_512" : "ECDSA_SHA_256" });
  const message = Buffer.from(body.Message ?? "", "base64");
  return { KeyId: arn, Signature: sign(isEdwards ? null : "sha256", message, key.privateKey).toString("base64") };
}

/** Google Cloud KMS, as REST has it. What it is given of P-256 is a digest, so that the fake has to sign that itself. */
async function gcp(url: string, body: { data?: string; digest?: { sha256?: string } }) {
  const name = decodeURIComponent(url.split("?")[0] ?? "").replace(/^\/v1\/|\/publicKey$|:asymmetricSign$/g, "");
  const key = service.keys.get(name);
  if (!key) return { error: { code: 404 } };
  if (url.includes("/publicKey")) return { name, pem: key.publicKey.export({ format: "pem", type: "spki" }) };
  const signed = body.data
    ? sign(null, Buffer.from(body.data, "base64"), key.privateKey)
    : await signDigest(Buffer.from(body.digest?.sha256 ?? "", "base64"), key.privateKey);
  return { name, signature: signed.toString("base64") };
}

/** Node signs what it has hashed itself, and nothing else. */
async function signDigest(digest: Buffer, key: KeyObject): Promise<Buffer> {
  const path = join(folder, "key.pem");
  await writeFile(path, key.export({ format: "pem", type: "pkcs8" }));
  return execFileSync("openssl", ["pkeyutl", "-sign", "-inkey", path], { input: digest });
}

const awsClient = () =>
  new KMSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });

/** The real client, by its REST transport. */
function gcpClient(): GcpKmsClient {
  const authClient = { getRequestHeaders: async () => new Headers(), fetch };
  const client = new v1.KeyManagementServiceClient({
    fallback: true,
    protocol: "http",
    apiEndpoint: "127.0.0.1",
    port,
    authClient: authClient as never,
    projectId: "p",
  } as never);
  return client as unknown as GcpKmsClient;
}

interface Given {
  readonly publicKey?: string;
  readonly timeoutMs?: number;
}

const clouds: [string, string, (given?: Given) => Promise<Signer>][] = [
  [
    "AWS KMS",
    ARN,
    (given) => awsKmsSigner({ name: "example.com/a", keyId: "alias/audit", client: awsClient(), ...given }),
  ],
  [
    "Google Cloud KMS",
    VERSION,
    (given) => gcpKmsSigner({ name: "example.com/a", keyVersion: VERSION, client: gcpClient(), ...given }),
  ],
];

(signs ? describe : describe.skip).each(clouds)("a signer of %s", (_, id, make) => {
  beforeEach(() => {
    service.keys.clear();
    service.keys.set(id, (pairs["P-256"] as () => Pair)());
    service.aliases.set("alias/audit", ARN);
  });

  it.each(Object.keys(pairs))("signs with a key of %s, and the log verifies", async (kind) => {
    service.keys.set(id, (pairs[kind] as () => Pair)());
    const dir = await temporaryDirectory();
    const signer = await make();
    const log = await openLog({ dir, signer });
    await log.append({ n: 1 });
    await log.close();
    expect(await verify(dir, { key: formatPublicKey(signer, nodeCryptography.sha256) })).toMatchObject({
      ok: true,
      size: 2,
    });
  });

  it("acknowledges nothing that another key has signed", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, signer: await make() });
    await log.append({ n: 1 });
    service.keys.set(id, (pairs["P-256"] as () => Pair)());
    await expect(log.append({ n: 2 })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_SIGNATURE" });
    await log.close();
    expect(await verify(dir)).toMatchObject({ ok: true, size: 2 });
  });

  it("is not made of another key than the one that is expected", async () => {
    const publicKey = formatPublicKey(await make(), nodeCryptography.sha256);
    await make({ publicKey });
    service.keys.set(id, (pairs["P-256"] as () => Pair)());
    await expect(make({ publicKey })).rejects.toMatchObject({ code: "ERR_AUDIT_KEYS_INVALID_KEY" });
  });

  it("asks again where the service fails for a moment, and gives up where it goes on", async () => {
    const signer = await make();
    service.next = [500, 503];
    expect((await signer.sign(Buffer.from("x"))).length).toBeGreaterThan(60);
    service.requests = 0;
    service.next = [500, 500, 500, 500];
    await expect(signer.sign(Buffer.from("x"))).rejects.toMatchObject({ code: "ERR_AUDIT_KEYS_SIGNING_FAILED" });
    expect(service.requests).toBe(3);
  });

  it("waits for a service that hangs no longer than it is told, and a record is not acknowledged", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, signer: await make({ timeoutMs: 200 }) });
    service.next = ["hang", "hang", "hang"];
    await expect(log.append({ n: 1 })).rejects.toMatchObject({
      code: "ERR_AUDIT_SIGNING_FAILED",
      cause: { code: "ERR_AUDIT_KEYS_SIGNING_FAILED" },
    });
    await log.append({ n: 2 });
    await log.close();
    expect(await verify(dir)).toMatchObject({ ok: true });
  });
});

(signs ? describe : describe.skip)("a signer of AWS KMS", () => {
  it("goes on with the key that its alias named at the start, and says which at the next", async () => {
    const [old, next] = [ARN, `${ARN}2`];
    for (const arn of [old, next]) service.keys.set(arn, (pairs["P-256"] as () => Pair)());
    service.aliases.set("alias/audit", old);
    const signer = await awsKmsSigner({ name: "a", keyId: "alias/audit", client: awsClient() });
    service.aliases.set("alias/audit", next);
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, signer });
    await log.append({ n: 1 });
    await log.close();
    expect(await verify(dir)).toMatchObject({ ok: true });
    const publicKey = formatPublicKey(signer, nodeCryptography.sha256);
    await expect(
      awsKmsSigner({ name: "a", keyId: "alias/audit", client: awsClient(), publicKey }),
    ).rejects.toMatchObject({
      code: "ERR_AUDIT_KEYS_INVALID_KEY",
    });
  });
});

(signs ? describe : describe.skip)("a signer of Google Cloud KMS", () => {
  it("takes no key without its version", async () => {
    const keyVersion = VERSION.replace(/\/cryptoKeyVersions.*/, "");
    await expect(gcpKmsSigner({ name: "a", keyVersion, client: gcpClient() })).rejects.toMatchObject({
      code: "ERR_AUDIT_KEYS_INVALID_OPTION",
    });
  });
});
