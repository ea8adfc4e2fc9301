import type { Redactor } from "@suite/core";
import { isOriginalId, isSameProvider, Originals } from "@suite/core/framework";
import type { Item, SdkRequest } from "../framework.js";
import { itemPart } from "./to-neutral.js";

type ReasoningItem = Extract<Item, { readonly type: "reasoning" }>;

const originals = new Originals<ReasoningItem>();

/** The provider whose encrypted reasoning the SDK's items contain. Items do not name their provider. */
const writer = "openai";

/**
 * Stores an encrypted reasoning item that a plugin removed from an answer, or changed.
 *
 * @param text the text that the plugin left.
 * @returns the item that replaces it. `undefined` if the redactor finds nothing in it: the plugin then had another
 * reason, and the item is not sent again.
 */
export function withheldItem(item: Item, text: string, redactor: Redactor | undefined): Item | undefined {
  const signed = signedIn(item);
  if (signed === undefined || isOriginalId(signed.signature) || !finds(redactor, signed.text)) return undefined;
  const { item: original } = signed;
  return {
    type: "reasoning",
    ...(original.id !== undefined && { id: original.id }),
    content: text === "" ? [] : [{ type: "input_text", text }],
    providerData: { encrypted_content: originals.keep(original) },
  };
}

/**
 * Returns the input as the model's provider accepts it, with the originals of withheld reasoning. Leaves out withheld
 * reasoning whose original was dropped. For another provider, also leaves out encrypted reasoning that contains
 * something for the redactor.
 *
 * @param provider the provider of the model that is called. Without it, all encrypted reasoning is sent.
 */
export function inputFor(
  provider: string | undefined,
  input: SdkRequest["input"],
  redactor: Redactor | undefined,
): SdkRequest["input"] {
  if (typeof input === "string") return input;
  const guard = provider === undefined || isSameProvider(provider, writer) ? undefined : redactor;
  const items = input.flatMap((item) => itemFor(item, guard) ?? []);
  return items.length === input.length && items.every((item, index) => item === input[index]) ? input : items;
}

function itemFor<I extends Item>(item: I, redactor: Redactor | undefined): I | ReasoningItem | undefined {
  const signed = signedIn(item);
  if (signed === undefined) return item;
  const original = isOriginalId(signed.signature) ? originals.get(signed.signature) : signed.item;
  if (original === undefined) return undefined;
  return redactor !== undefined && finds(redactor, textOf(original)) ? undefined : original;
}

const finds = (redactor: Redactor | undefined, text: string): boolean =>
  redactor !== undefined && redactor.redact(text) !== text;

/** Returns an encrypted reasoning item with its text and signature, or `undefined` for other items. */
function signedIn(item: Item) {
  if (item.type !== "reasoning") return undefined;
  const part = itemPart(item);
  if (part.type !== "reasoning" || part.signature === undefined || part.signature === "") return undefined;
  return { item, text: part.content, signature: part.signature };
}

const textOf = (item: ReasoningItem): string => signedIn(item)?.text ?? "";
