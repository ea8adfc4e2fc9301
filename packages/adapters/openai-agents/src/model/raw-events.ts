import { isRecord } from "@suite/kit";
import type { SdkEvent } from "../framework.js";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the position of a streamed text, which identifies it in the layers. */
export const textIdOf = (itemId: string | undefined, index: unknown): string =>
  `text:${itemId ?? ""}/${typeof index === "number" ? index : 0}`;

/** Returns the provider's event without the SDK's envelope. */
function bodyOf(event: SdkEvent): Fields | undefined {
  const { event: body } = event as { readonly event?: unknown };
  return event.type === "model" && isRecord(body) ? body : undefined;
}

/** Events of the Responses API about the whole answer, which precede its content. */
const openings = new Set(["response.created", "response.in_progress", "response.queued"]);

/** Fields that describe the structure of an answer and never contain its content. */
const structure = new Set([
  ...["type", "id", "object", "status", "role", "model", "phase", "item_id", "call_id", "response_id", "event_id"],
  ...["name", "namespace", "service_tier", "system_fingerprint", "finish_reason"],
]);

/** True if an event of the provider contains no model output. */
export function hasNoOutput(event: SdkEvent): boolean {
  const body = bodyOf(event);
  if (body === undefined) return false;
  const { response, ...rest } = body;
  const opens = openings.has(String(body.type)) && isRecord(response);
  if (opens && Array.isArray(response.output) && response.output.length > 0) return false;
  return isEmpty(opens ? rest : body);
}

const isEmpty = (value: unknown, depth = 0): boolean => {
  if (typeof value === "string") return value === "";
  if (typeof value !== "object" || value === null) return true;
  if (depth > 6) return false;
  return Object.entries(value).every(
    ([name, each]) => (structure.has(name) && typeof each === "string") || isEmpty(each, depth + 1),
  );
};

/** True if an event of the provider reports that the model made a call, or that a call has ended. */
export function callIn(event: SdkEvent): boolean {
  const item = bodyOf(event)?.item;
  return isRecord(item) && typeof item.call_id === "string";
}

/** Returns an event of the provider without its model output. */
export function skeletonOf(event: SdkEvent): SdkEvent {
  const body = bodyOf(event);
  if (body === undefined) return { type: event.type } as SdkEvent;
  const { item } = body;
  const { caller, environment } = isRecord(item) ? item : {};
  const called = isRecord(item) && {
    item: { ...outlineOf(item), ...(isRecord(caller) && { caller }), ...(isRecord(environment) && { environment }) },
  };
  return { type: "model", event: { ...outlineOf(body), ...called } };
}

const outlineOf = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => structure.has(name) && typeof value === "string"),
  );

/** Returns the text that ends with an event of the Responses API. */
export function endedText(event: SdkEvent): { readonly itemId: string; readonly index: unknown } | undefined {
  const body = bodyOf(event);
  if (body?.type !== "response.content_part.done" || typeof body.item_id !== "string") return undefined;
  return { itemId: body.item_id, index: body.content_index };
}

/** Returns the finish reason of a chat completion, which the SDK omits when it converts the chunks. */
export function finishReasonIn(event: SdkEvent): string | undefined {
  const choices = bodyOf(event)?.choices;
  const [choice]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) && typeof choice.finish_reason === "string" ? choice.finish_reason : undefined;
}

/** Returns the item whose text ends with an event of the Responses API. */
export function endedItem(event: SdkEvent): string | undefined {
  const body = bodyOf(event);
  const item = body?.type === "response.output_item.done" && isRecord(body.item) ? body.item : undefined;
  return typeof item?.id === "string" ? item.id : undefined;
}
