import type { Redactor } from "@suite/core";
import { isSameProvider, Originals } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import type { CallOptions, Model, PromptMessage } from "../framework.js";
import { isSigned, signatureOf } from "./signature.js";

/** The key of an original's id in the metadata of a part, next to the keys of providers. */
const markName = "suiteReasoning";

/** Reasoning in the form that the provider accepts. */
type Original = Pick<ReasoningPart, "text" | "providerOptions">;

type Assistant = Extract<PromptMessage, { readonly role: "assistant" }>;
type ReasoningPart = Extract<Assistant["content"][number], { readonly type: "reasoning" }>;

/**
 * Signed reasoning that a plugin changed. A provider refuses a request if its signed reasoning is missing or changed.
 * The reader therefore gets the changed text with an id, and the provider gets the original for that id.
 */
export class WithheldReasoning {
  readonly #originals = new Originals<Original>();

  /**
   * Stores an original.
   *
   * @returns the metadata that identifies it in the answer. `undefined` if the redactor finds nothing in the text: the
   * plugin removed it for another reason, so it is not sent again.
   */
  keep(text: string, providerOptions: ReasoningPart["providerOptions"], redactor: Redactor | undefined) {
    if (redactor === undefined || redactor.redact(text) === text) return undefined;
    return { [markName]: { id: this.#originals.keep({ text, ...(providerOptions && { providerOptions }) }) } };
  }

  /**
   * Returns the call options with the originals of withheld reasoning. Removes signed reasoning of another provider if
   * the redactor finds something in it. Removes reasoning if its original was deleted.
   */
  restored(params: CallOptions, { provider }: Pick<Model, "provider">, redactor: Redactor | undefined): CallOptions {
    let changed = false;
    const prompt = params.prompt.map((message) => {
      if (message.role !== "assistant") return message;
      const content: (typeof message.content)[number][] = [];
      for (const part of message.content) {
        const remaining = part.type === "reasoning" ? this.#reasoning(part, provider, redactor) : part;
        if (remaining !== undefined) content.push(remaining);
      }
      if (
        content.length === message.content.length &&
        content.every((part, index) => part === message.content[index])
      ) {
        return message;
      }
      changed = true;
      return { ...message, content };
    });
    return changed ? { ...params, prompt } : params;
  }

  #reasoning(part: ReasoningPart, provider: string, redactor?: Redactor): ReasoningPart | undefined {
    const id = withheldIn(part.providerOptions);
    const known = id === undefined ? part : this.#originals.get(id);
    if (known === undefined) return undefined;
    const { text, providerOptions } = known;
    const foreign = signatureOf(providerOptions) !== undefined && !isSignedBy(provider, providerOptions);
    if (foreign && redactor !== undefined && redactor.redact(text) !== text) return undefined;
    return id === undefined ? part : { type: "reasoning", text, ...(providerOptions && { providerOptions }) };
  }
}

function withheldIn(options: unknown): string | undefined {
  const mark = isRecord(options) ? options[markName] : undefined;
  return isRecord(mark) && typeof mark.id === "string" ? mark.id : undefined;
}

/** Returns true if one of the signatures is by the provider of this name. */
const isSignedBy = (provider: string, options: unknown): boolean =>
  isRecord(options) &&
  Object.entries(options).some(
    ([name, values]) => isRecord(values) && Object.keys(values).some(isSigned) && isSameProvider(name, provider),
  );

const withheldByPlugins = new WeakMap<object, WithheldReasoning>();

/** Returns the withheld reasoning for a list of plugins. */
export function withheldBy(plugins: object): WithheldReasoning {
  let withheld = withheldByPlugins.get(plugins);
  if (withheld === undefined) {
    withheld = new WithheldReasoning();
    withheldByPlugins.set(plugins, withheld);
  }
  return withheld;
}
