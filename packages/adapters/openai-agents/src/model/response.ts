import type { Part, Redactor, Reply } from "@suite/core";
import type { FinishDelta } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { DoneEvent, Item, SdkResponse } from "../framework.js";
import { contentPart, pieceOf } from "../messages/content.js";
import { newItem } from "../messages/from-neutral.js";
import { itemPart } from "../messages/to-neutral.js";
import { tokensOf, usageOf } from "../messages/usage.js";
import { withheldItem } from "../messages/withheld.js";

/** An answer, whole or at the end of a stream. */
type Answer = SdkResponse | DoneEvent["response"];

/** A part of an answer and its position. */
export interface Slot {
  readonly item: Item;
  /** The index among the pieces of a message. */
  readonly index: number;
  readonly part: Part;
}

export const slotsOf = (output: readonly Item[]): readonly Slot[] =>
  output.flatMap((item): readonly Slot[] => {
    if ("role" in item && Array.isArray(item.content)) {
      const native = item.providerData === undefined ? undefined : item;
      return item.content.map((piece, index) => ({ item, index, part: contentPart(piece, native) }));
    }
    return [{ item, index: 0, part: itemPart(item) }];
  });

/**
 * Returns the finish of an answer with its usage.
 *
 * @param streamed the finish reason, if only the stream contained it.
 */
export function finishOf(answer: Answer, streamed?: string): FinishDelta {
  const id = "responseId" in answer ? answer.responseId : "id" in answer ? answer.id : undefined;
  const model: unknown = answer.providerData?.model;
  return {
    type: "finish",
    usage: tokensOf(answer.usage as Parameters<typeof tokensOf>[0]),
    finishReason: reasonOf(answer, streamed),
    response: { ...(id !== undefined && { id }), ...(typeof model === "string" && { model }) },
  };
}

const reasons: Readonly<Record<string, string>> = {
  __proto__: null as never,
  tool_calls: "tool_call",
  max_output_tokens: "length",
};

function reasonOf({ output, providerData = {} }: Answer, streamed: string | undefined): string {
  const { incomplete_details: incomplete, choices } = providerData;
  const incompleteReason: unknown = isRecord(incomplete) ? incomplete.reason : undefined;
  const [choice]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const reason = incompleteReason ?? (isRecord(choice) ? choice.finish_reason : undefined) ?? streamed;
  if (typeof reason === "string") return reasons[reason] ?? reason;
  return output.some(({ type }) => type === "function_call") ? "tool_call" : "stop";
}

/**
 * Returns the items of an answer after the layers: the same list if nothing changed. A changed message keeps its id.
 * Its provider data is redacted. Without a redactor it is removed, since it may repeat the removed text.
 *
 * @param partFor returns the part of a slot after the layers: the same part if it is unchanged, `undefined` if it was
 * removed.
 * @param added the parts that layers created.
 */
export function itemsOf(
  output: readonly Item[],
  slots: readonly Slot[],
  partFor: (slot: Slot, index: number) => Part | undefined,
  added: readonly Part[] = [],
  redactor?: Redactor,
): readonly Item[] {
  const parts = new Map(slots.map((slot, index) => [slot, partFor(slot, index)]));
  if (added.length === 0 && slots.every((slot) => parts.get(slot) === slot.part)) return output;
  const items = output.flatMap((item) => {
    const itemSlots = slots.filter((slot) => slot.item === item);
    return itemOf(
      item,
      itemSlots,
      itemSlots.map((slot) => parts.get(slot)),
      redactor,
    );
  });
  return [...items, ...added.map((part) => newItem(part))];
}

function itemOf(
  item: Item,
  slots: readonly Slot[],
  parts: readonly (Part | undefined)[],
  redactor: Redactor | undefined,
): readonly Item[] {
  if ("role" in item) {
    if (parts.every((part) => part === undefined)) return slots.length === 0 ? [item] : [];
    const content = parts.flatMap((part, index) =>
      part === undefined ? [] : [pieceWith(part, slots[index], redactor)],
    );
    return [{ ...withProviderData(item, redactor), content } as Item];
  }
  if (slots.every(({ part }, index) => parts[index] === part)) return [item];
  const [part] = parts;
  if (part?.type !== "reasoning" || part.signature === undefined) {
    const withheld = withheldItem(item, part?.type === "reasoning" ? part.content : "", redactor);
    if (withheld !== undefined) return [withheld];
  }
  if (part === undefined) return [];
  return [newItem(part, item.type === "function_call" ? new Map([[item.callId, item]]) : undefined)];
}

/** Returns an item with redacted provider data. Without a redactor, removes the data. */
function withProviderData<T extends object>(from: T, redactor: Redactor | undefined): T {
  const { providerData, ...rest } = from as T & { readonly providerData?: unknown };
  if (providerData === undefined) return from;
  return (redactor === undefined ? rest : { ...rest, providerData: redactor.value(providerData) }) as T;
}

function pieceWith(part: Part, slot: Slot | undefined, redactor: Redactor | undefined): object {
  const piece = slot && pieceOf(slot.part);
  const bare = withProviderData(piece ?? {}, redactor);
  if (part === slot?.part && piece !== undefined) return bare;
  if (part.type === "native") return part.value as object;
  const text = part.type === "text" || part.type === "reasoning" ? part.content : JSON.stringify(part);
  if (piece?.type === "refusal") return { ...bare, refusal: text };
  return piece?.type === "output_text" ? { ...bare, text } : { type: "output_text", text };
}

/** Converts a whole answer to a reply. */
function replyOf(response: SdkResponse, slots: readonly Slot[]): Reply {
  const { type: _, ...finish } = finishOf(response);
  return { message: { role: "assistant", parts: slots.map(({ part }) => part) }, ...finish };
}

/** Returns the response for a reply after the layers: the same object if they changed nothing. */
export function responseOf(reply: Reply, read?: ReadAnswer, redactor?: Redactor): SdkResponse {
  const { parts } = reply.message;
  if (read === undefined) {
    return { usage: usageOf(reply.usage), output: parts.map((part) => newItem(part)) as SdkResponse["output"] };
  }
  const { response, slots } = read;
  if (reply === read.reply) return response;
  const output = aligned(response.output, slots, parts, redactor);
  if (output === response.output) return response;
  const { providerData: _, rawUsage: __, ...rest } = response;
  return { ...rest, output: output as SdkResponse["output"] };
}

/** A whole answer of a model in neutral form. */
export interface ReadAnswer {
  readonly response: SdkResponse;
  readonly slots: readonly Slot[];
  readonly reply: Reply;
}

export function readAnswer(response: SdkResponse): ReadAnswer {
  const slots = slotsOf(response.output);
  return { response, slots, reply: replyOf(response, slots) };
}

/**
 * Matches the parts after the layers with the items of the answer, because parts in a list have no positions and may be
 * reordered. A part replaces the one that is identical or has the same content. Otherwise it replaces the next one of
 * its type. If the counts are equal, the remaining parts replace the remaining items.
 */
function aligned(
  output: readonly Item[],
  slots: readonly Slot[],
  parts: readonly Part[],
  redactor: Redactor | undefined,
): readonly Item[] {
  const assigned = new Map<Slot, Part>();
  const added = new Set(parts);
  const assign = (fits: (slot: Slot, part: Part) => boolean): void => {
    for (const slot of slots) {
      if (assigned.has(slot)) continue;
      const part = [...added].find((each) => fits(slot, each));
      if (part === undefined) continue;
      added.delete(part);
      assigned.set(slot, unlessSame(slot, part, redactor));
    }
  };
  assign((slot, part) => unlessSame(slot, part, redactor) === slot.part);
  assign(({ part: { type, ...before } }, part) => type === part.type && (!isCall(part) || idOf(before) === part.id));
  if (slots.length === parts.length) assign(({ item }) => !("role" in item));
  return itemsOf(output, slots, (slot) => assigned.get(slot), [...added], redactor);
}

const isCall = (part: Part): part is Extract<Part, { type: "tool_call" }> => part.type === "tool_call";
const idOf = (part: object): unknown => ("id" in part ? part.id : undefined);

/**
 * Returns the slot's original part if this one has the same text: text that was streamed is assembled again, without
 * its native form. This applies only if the redactor finds nothing in the native form, or if the form is empty.
 */
export function unlessSame({ part: original }: Slot, part: Part, redactor?: Redactor): Part {
  if (original.type !== "text" && original.type !== "reasoning") return part;
  if (part.type !== original.type || part.content !== original.content) return part;
  const signed = (each: Part): unknown => (each.type === "reasoning" ? each.signature : undefined);
  if (part.native === original.native) return original;
  const clean =
    part.native === undefined &&
    (redactor === undefined
      ? isEmpty(providerDataOf(original.native))
      : redactor.value(original.native) === original.native);
  return clean && signed(part) === signed(original) ? original : part;
}

const providerDataOf = (native: unknown): unknown => (isRecord(native) ? native.providerData : undefined);

/** True for a value without content: `null`, an empty string or list, or an object of such values. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));
