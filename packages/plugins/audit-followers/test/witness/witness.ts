import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fromBase64 } from "@suite/kit";
import { verifyConsistency } from "../../../audit/src/proofs/consistency.js";
import { formatPublicKey, keyId, parsePublicKey } from "../../../audit/src/signing/key.js";
import { nodeCryptography } from "../../../audit/src/signing/node-cryptography.js";
import { formatNote, parseNote } from "../../../audit/src/signing/note.js";
import { cosignedMessage } from "../../../audit/src/witness/cosignature.js";

/** The memory of a witness for one log. */
interface Seen {
  readonly size: number;
  readonly root: string;
}

/** A little witness after C2SP tlog-witness: one key, logs by their verifier keys, the last head of each in memory. */
export class LittleWitness {
  readonly name: string;
  readonly #pair = generateKeyPairSync("ed25519");
  readonly #logs = new Map<string, string>();
  readonly #server: Server;
  seen = new Map<string, Seen>();
  /** The status of each answer. */
  readonly answers: number[] = [];
  /** Answers so, and remembers nothing. */
  instead: { readonly status: number; readonly body: string; readonly type?: string } | undefined;

  private constructor(name: string) {
    this.name = name;
    this.#server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const known = request.method === "POST" && request.url === "/prefix/add-checkpoint";
        const {
          status,
          body,
          type = "text/plain",
        } = known ? (this.instead ?? this.#add(Buffer.concat(pieces).toString())) : { status: 404, body: "" };
        this.answers.push(status);
        response.writeHead(status, { "content-type": type }).end(body);
      });
    });
  }

  static async start(name: string): Promise<LittleWitness> {
    const witness = new LittleWitness(name);
    await new Promise<void>((resolve) => witness.#server.listen(0, "127.0.0.1", resolve));
    return witness;
  }

  /** Says which log a verifier key is of. */
  know(verifierKey: string): void {
    this.#logs.set(verifierKey.split("+")[0] ?? "", verifierKey);
  }

  get key() {
    const { x } = this.#pair.publicKey.export({ format: "jwk" });
    return { name: this.name, type: 4, bytes: new Uint8Array(Buffer.from(x ?? "", "base64url")) };
  }

  /** The line that `--witnesses` takes. */
  get line(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${formatPublicKey(this.key, nodeCryptography.sha256)} http://127.0.0.1:${port}/prefix`;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  #add(body: string): { status: number; body: string; type?: string } {
    const split = body.indexOf("\n\n");
    const [first = "", ...proof] = body.slice(0, split).split("\n");
    const note = parseNote(body.slice(split + 2));
    const old = /^old (0|[1-9]\d*)$/.exec(first)?.[1];
    const [origin = "", digits, root = ""] = note?.text.split("\n") ?? [];
    if (!note || old === undefined || proof.length > 63) return { status: 400, body: "" };
    const verifierKey = this.#logs.get(origin);
    if (verifierKey === undefined) return { status: 404, body: "" };
    const key = parsePublicKey(verifierKey, nodeCryptography.sha256);
    const signed = note.signatures.find(
      ({ name, keyId: id }) => name === origin && id === keyId(key, nodeCryptography.sha256),
    );
    if (!signed || !nodeCryptography.verify(key.type, key.bytes, Buffer.from(note.text), signed.signature)) {
      return { status: 403, body: "" };
    }
    const [oldSize, size] = [Number(old), Number(digits)];
    if (oldSize > size) return { status: 400, body: "" };
    const last = this.seen.get(origin) ?? { size: 0, root: "" };
    if (oldSize !== last.size) return { status: 409, body: `${last.size}\n`, type: "text/x.tlog.size" };
    const hashes = proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
    const bytes = (hash: string) => fromBase64(hash) ?? new Uint8Array();
    const claim = { oldSize, oldRoot: bytes(last.root), size, root: bytes(root) };
    const consistent = oldSize === 0 ? proof.length === 0 : verifyConsistency(claim, hashes, nodeCryptography.sha256);
    if (!consistent) return { status: 422, body: "" };
    this.seen.set(origin, { size, root });
    return { status: 200, body: this.cosign(note.text) };
  }

  /** The line of a cosignature. */
  cosign(text: string, time = Math.floor(Date.now() / 1000)): string {
    const signature = sign(null, cosignedMessage(time, text), this.#pair.privateKey);
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const id = keyId(this.key, nodeCryptography.sha256);
    const line = { name: this.name, keyId: id, signature: new Uint8Array(Buffer.concat([stamp, signature])) };
    return formatNote({ text: "x\n", signatures: [line] }).slice(3);
  }
}
