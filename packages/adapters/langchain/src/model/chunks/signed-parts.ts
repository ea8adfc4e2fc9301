import type { Delta, Redactor } from "@suite/core";
import type { PartDelta } from "@suite/core/messages";
import { withhold } from "../../messages/withheld.js";

/**
 * The signed reasoning of a streamed answer. If a signature does not leave the layers, it was removed, alone or with
 * the text. Another signature then replaces it in the message.
 */
export class SignedParts {
  /** Reasoning whose signature has not left the layers, by position. */
  readonly #parts = new Map<string, { content: string; signature: string }>();
  readonly #redactor: Redactor | undefined;

  constructor(redactor: Redactor | undefined) {
    this.#redactor = redactor;
  }

  /** Records a delta of the model. */
  came(delta: Delta): void {
    if (this.#redactor === undefined || delta.type !== "part" || delta.part.type !== "reasoning") return;
    const { content, signature = "" } = delta.part;
    const { content: before = "", signature: begun = "" } = this.#parts.get(delta.at) ?? {};
    this.#parts.set(delta.at, { content: before + content, signature: begun + signature });
  }

  /** Records a delta that leaves the layers. Returns the deltas to emit before it, for signatures that were removed. */
  left(delta: Delta): readonly PartDelta[] {
    if (this.#parts.size === 0 || delta.type === "event") return none;
    if (delta.type === "part" && delta.part.type === "reasoning" && this.#parts.has(delta.at)) {
      if (delta.part.signature !== undefined) this.#parts.delete(delta.at);
      return none;
    }
    return this.end();
  }

  /** Returns the deltas that replace the signatures that have not left. */
  end(): readonly PartDelta[] {
    const deltas: PartDelta[] = [];
    for (const [at, part] of this.#parts) {
      if (part.signature === "") continue;
      this.#parts.delete(at);
      const signature = withhold(part, this.#redactor);
      if (signature !== undefined)
        deltas.push({ type: "part", at, part: { type: "reasoning", content: "", signature } });
    }
    return deltas;
  }
}

const none: readonly never[] = [];
