import type { FinishDelta, Part, Redactor, Reply } from "@suite/core";
import { type DoneEvent, type Item, isRecord, type SdkResponse } from "../framework.js";
import { contentPart, pieceOf } from "../messages/content.js";
import { newItem } from "../messages/from-neutral.js";
import { itemPart } from "../messages/to-neutral.js";
import { tokensOf, usageOf } from "../messages/usage.js";
import { withheldItem } from "../messages/withheld.js";

/** An answer, whole or at the end of a stream. */
type Answer = SdkResponse | DoneEvent["response"];

/** A part of an answer, and where it stands. */
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
 * The finish mark of an answer, with what it used.
 *
 * @param streamed the reason why it ended, where that was told in the stream alone.
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
  const told: unknown = isRecord(incomplete) ? incomplete.reason : undefined;
  const [choice]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const reason = told ?? (isRecord(choice) ? choice.finish_reason : undefined) ?? streamed;
  if (typeof reason === "string") return reasons[reason] ?? reason;
  return output.some(({ type }) => type === "function_call") ? "tool_call" : "stop";
}

/**
 * The items of an answer as the layers left them: the very same if none of them changed anything. A changed message keeps its id.
 * What its provider added stays after the redactor; without one it is left out, since it may repeat what was taken out.
 *
 * @param left what became of a slot's part: itself if it is unchanged, undefined if it was taken out.
 * @param added parts that layers made.
 */
export function itemsOf(
  output: readonly Item[],
  slots: readonly Slot[],
  left: (slot: Slot, index: number) => Part | undefined,
  added: readonly Part[] = [],
  redactor?: Redactor,
): readonly Item[] {
  const parts = new Map(slots.map((slot, index) => [slot, left(slot, index)]));
  if (added.length === 0 && slots.every((slot) => parts.get(slot) === slot.part)) return output;
  const items = output.flatMap((item) => {
    const own = slots.filter((slot) => slot.item === item);
    return itemOf(
      item,
      own,
      own.map((slot) => parts.get(slot)),
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

/** Returns an item with the provider data that the redactor leaves, or without any if there is no redactor. */
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

/** A whole answer as a reply. */
function replyOf(response: SdkResponse, slots: readonly Slot[]): Reply {
  const { type: _, ...finish } = finishOf(response);
  return { message: { role: "assistant", parts: slots.map(({ part }) => part) }, ...finish };
}

/** The response that layers made of a reply: the very same where they changed nothing. */
export function responseOf(reply: Reply, given?: ReadAnswer, redactor?: Redactor): SdkResponse {
  const { parts } = reply.message;
  if (given === undefined) {
    return { usage: usageOf(reply.usage), output: parts.map((part) => newItem(part)) as SdkResponse["output"] };
  }
  const { response, slots } = given;
  if (reply === given.reply) return response;
  const output = aligned(response.output, slots, parts, redactor);
  if (output === response.output) return response;
  const { providerData: _, rawUsage: __, ...rest } = response;
  return { ...rest, output: output as SdkResponse["output"] };
}

/** A whole answer of a model, read. */
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
 * Parts that layers left have no place in a list, and need not stand in the order of the answer: each stands for the one that
 * it is, or says the same as; else for the next of its type; else, as many as are left over, where those stood.
 */
function aligned(
  output: readonly Item[],
  slots: readonly Slot[],
  parts: readonly Part[],
  redactor: Redactor | undefined,
): readonly Item[] {
  const left = new Map<Slot, Part>();
  const added = new Set(parts);
  const place = (fits: (slot: Slot, part: Part) => boolean): void => {
    for (const slot of slots) {
      if (left.has(slot)) continue;
      const part = [...added].find((each) => fits(slot, each));
      if (part === undefined) continue;
      added.delete(part);
      left.set(slot, unlessSame(slot, part, redactor));
    }
  };
  place((slot, part) => unlessSame(slot, part, redactor) === slot.part);
  place(({ part: { type, ...before } }, part) => type === part.type && (!isCall(part) || idOf(before) === part.id));
  if (slots.length === parts.length) place(({ item }) => !("role" in item));
  return itemsOf(output, slots, (slot) => left.get(slot), [...added], redactor);
}

const isCall = (part: Part): part is Extract<Part, { type: "tool_call" }> => part.type === "tool_call";
const idOf = (part: object): unknown => ("id" in part ? part.id : undefined);

/**
 * The slot's own part if this one has the same text: text that went by in pieces is put together anew, without its native form. That
 * counts if the redactor finds nothing in it, or if there is nothing in it.
 */
export function unlessSame({ part: own }: Slot, part: Part, redactor?: Redactor): Part {
  if (own.type !== "text" && own.type !== "reasoning") return part;
  if (part.type !== own.type || part.content !== own.content) return part;
  const signed = (each: Part): unknown => (each.type === "reasoning" ? each.signature : undefined);
  if (part.native === own.native) return own;
  const clean =
    part.native === undefined &&
    (redactor === undefined ? isEmpty(providerDataOf(own.native)) : redactor.value(own.native) === own.native);
  return clean && signed(part) === signed(own) ? own : part;
}

const providerDataOf = (native: unknown): unknown => (isRecord(native) ? native.providerData : undefined);

/** Returns true for a value without content: `null`, an empty string or list, or an object of such values. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));
