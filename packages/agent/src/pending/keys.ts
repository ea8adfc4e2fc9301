import { KeyRing, type SigningKey } from "@suite/kit/digest";
import { AgentError } from "../errors.js";
import type { PendingState, UnsignedState } from "./state.js";

/** Signs pending states with the first key and verifies them with any. */
export class StateKeys {
  readonly #signingKeys: readonly SigningKey[];
  #ring: KeyRing | undefined;

  /** @throws AgentError `ERR_AGENT_OPTIONS` for a short secret. */
  constructor(keys: readonly SigningKey[] = []) {
    this.#signingKeys = keys;
    for (const { id, secret } of keys) {
      if (secret.length < 32)
        throw new AgentError("ERR_AGENT_OPTIONS", `The signing key ${id} is shorter than 32 bytes.`);
    }
  }

  async sign(state: UnsignedState): Promise<PendingState> {
    return { ...state, signature: await this.#keys.sign(state) };
  }

  /** @throws AgentError `ERR_AGENT_PENDING_SIGNATURE` */
  async verify({ signature, ...state }: PendingState): Promise<void> {
    if (this.#keys.keyOf(signature) === undefined) {
      throw new AgentError(
        "ERR_AGENT_PENDING_SIGNATURE",
        `The pending state was signed with a key that this agent does not have (${JSON.stringify(signature.kid.slice(0, 64))}). ` +
          "To resume in another process, give both the same resume.keys.",
      );
    }
    if (!(await this.#keys.verify(state, signature))) {
      throw new AgentError(
        "ERR_AGENT_PENDING_SIGNATURE",
        "The pending state was changed after it was signed, or was signed with another secret of the same id. Resume with the unchanged state.",
      );
    }
  }

  get #keys(): KeyRing {
    this.#ring ??= new KeyRing(this.#signingKeys.length > 0 ? this.#signingKeys : [processKey()]);
    return this.#ring;
  }
}

let generated: SigningKey | undefined;

/**
 * Returns the default key: random, so that only this process can resume. Its id distinguishes it from the key of
 * another process.
 */
function processKey(): SigningKey {
  generated ??= {
    id: `process-${crypto.randomUUID()}`,
    secret: crypto.getRandomValues(new Uint8Array(32)),
  };
  return generated;
}
