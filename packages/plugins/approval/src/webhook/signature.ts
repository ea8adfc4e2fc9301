import { importHmac } from "@suite/kit/digest";
import { ApprovalError } from "../errors.js";

/** Secrets of a webhook: `whsec_` and 24 to 64 bytes in base64, as the Standard Webhooks specification has them. */
export type WebhookSecrets = string | readonly string[];

const encoder = new TextEncoder();
const most = 8;

/** Signs with the first secret, verifies with any: https://www.standardwebhooks.com. */
export class WebhookSigner {
  readonly #keys: readonly Promise<CryptoKey>[];

  /** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
  constructor(secrets: WebhookSecrets) {
    const all: readonly unknown[] = typeof secrets === "string" ? [secrets] : Array.isArray(secrets) ? secrets : [];
    const bytes = all.map((secret) =>
      typeof secret === "string" ? bytesOf(secret.replace(/^whsec_/, "")) : undefined,
    );
    const good = bytes.filter((each) => each !== undefined && each.length >= 24 && each.length <= 64);
    if (good.length === 0 || good.length < all.length || all.length > most) {
      const expected = `one to ${most} strings, each "whsec_" followed by 24 to 64 bytes in base64`;
      throw new ApprovalError("ERR_APPROVAL_OPTION", `The option secret of a webhook must be ${expected}.`);
    }
    this.#keys = good.map((each) => importHmac(each as Uint8Array<ArrayBuffer>));
  }

  /** The headers of a message, at this time. */
  async headers(id: string, body: string): Promise<Record<string, string>> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = await (this.#keys[0] as Promise<CryptoKey>);
    const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${timestamp}.${body}`));
    const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
    return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  }

  /** Whether one of the signatures is good. Compared by WebCrypto, in constant time. */
  async verify(id: string, timestamp: string, body: string, signatures: string): Promise<boolean> {
    const signed = encoder.encode(`${id}.${timestamp}.${body}`);
    for (const each of signatures.split(" ", most)) {
      const mac = each.startsWith("v1,") ? bytesOf(each.slice(3)) : undefined;
      if (mac === undefined) continue;
      for (const key of this.#keys) if (await crypto.subtle.verify("HMAC", await key, mac, signed)) return true;
    }
    return false;
  }
}

/** Decodes base64, with or without padding: senders differ. Returns `undefined` if the string is not valid. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
