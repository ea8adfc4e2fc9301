import { AgentError } from "../errors.js";
import { canonical, macOf, sameText } from "./digest.js";
import type { PendingState, UnsignedState } from "./state.js";

/** A secret that signs pending states. */
export interface SigningKey {
  /** The id in each signature, so that keys can be rotated. */
  readonly id: string;
  /** The secret: at least 32 bytes, from a secret store. */
  readonly secret: string | Uint8Array<ArrayBuffer>;
}

/** Signs with the first key and verifies with any of them. */
export class KeyRing {
  readonly #given: readonly SigningKey[];

  /** @throws AgentError `ERR_AGENT_OPTIONS` for a short secret. */
  constructor(keys: readonly SigningKey[] = []) {
    this.#given = keys;
    for (const { id, secret } of keys) {
      if (secret.length < 32)
        throw new AgentError("ERR_AGENT_OPTIONS", `The signing key ${id} is shorter than 32 bytes.`);
    }
  }

  async sign(state: UnsignedState): Promise<PendingState> {
    const { id, secret } = this.#keys[0] as SigningKey;
    return { ...state, signature: { kid: id, mac: await macOf(secret, canonical(state)) } };
  }

  /** @throws AgentError `ERR_AGENT_PENDING_SIGNATURE` */
  async verify({ signature, ...state }: PendingState): Promise<void> {
    const key = this.#keys.find(({ id }) => id === signature.kid);
    if (key === undefined) {
      throw new AgentError(
        "ERR_AGENT_PENDING_SIGNATURE",
        `The pending state was signed with a key that this agent does not have (${JSON.stringify(signature.kid.slice(0, 64))}). ` +
          "To resume in another process, give both the same resume.keys.",
      );
    }
    if (!sameText(signature.mac, await macOf(key.secret, canonical(state)))) {
      throw new AgentError(
        "ERR_AGENT_PENDING_SIGNATURE",
        "The pending state was changed after it was signed, or was signed with another secret of the same id. Resume with the unchanged state.",
      );
    }
  }

  get #keys(): readonly SigningKey[] {
    return this.#given.length > 0 ? this.#given : [processKey()];
  }
}

let own: SigningKey | undefined;

/**
 * Returns the default key: random, so that only this process can resume. Its id distinguishes it from the key of
 * another process.
 */
function processKey(): SigningKey {
  own ??= {
    id: `process-${crypto.randomUUID()}`,
    secret: crypto.getRandomValues(new Uint8Array(32)),
  };
  return own;
}
