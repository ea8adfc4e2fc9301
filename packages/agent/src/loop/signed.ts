import {
  type Delta,
  type Message,
  type ModelRequest,
  type Part,
  type Reply,
  type RuntimeContext,
  type Stage,
  stateKey,
} from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { isJson, objectsOf } from "@suite/wire";
import { isSealed } from "../signer.js";

/**
 * The parts of an answer that its provider signed, with their places among the others. Plugins may redact or remove
 * such parts, but the provider refuses the next request if they are missing or changed.
 */
export interface SignedReply {
  readonly signer: string;
  readonly places: readonly Place[];
}

/** The place of a part in an answer. Only signed parts are stored with their content. */
interface Place {
  readonly type: Part["type"];
  /** The id of a call. */
  readonly id?: string;
  /** A block that must be sent back unchanged. */
  readonly block?: Part;
  /** The signature that belongs to a call. */
  readonly native?: unknown;
}

/** The signed replies of a run. Only the agent reads them, and they are part of a pending state. */
const signedReplies = stateKey<readonly SignedReply[]>("agent.signed", () => [], {
  save: (replies) => replies,
  load: (stored) => (Array.isArray(stored) ? stored.filter(isSignedReply) : []),
});

const isSignedReply = (value: unknown): value is SignedReply =>
  isJson(value) && typeof value.signer === "string" && Array.isArray(value.places) && value.places.every(isJson);

/** True if the part is a block that must be sent back unchanged. */
function isBlock(part: Part): boolean {
  if (part.type === "reasoning") return part.signature !== undefined;
  if (part.type !== "server_tool_call_response") return isSealed(part);
  return objectsOf(part.serverToolCallResponse.content).some(
    ({ encrypted_content }) => encrypted_content !== undefined,
  );
}

const hasSignature = (part: Part): boolean =>
  part.type === "tool_call" && isJson(part.native) && part.native.extra_content !== undefined;

function placeOf(part: Part): Place {
  const { type } = part;
  const id = isCall(part) ? part.id : undefined;
  return {
    type,
    ...(id !== undefined && { id }),
    ...(isBlock(part) && { block: part }),
    ...(hasSignature(part) && "native" in part && { native: part.native }),
  };
}

const isCall = (part: Part): part is Part & { readonly type: "tool_call" | "server_tool_call" } =>
  part.type === "tool_call" || part.type === "server_tool_call";

/** Returns the signed parts of a reply with their places, or `undefined` if nothing is signed. */
export const signedOf = ({ message: { parts } }: Reply, signer: string): SignedReply | undefined =>
  parts.some((part) => isBlock(part) || hasSignature(part)) ? { signer, places: parts.map(placeOf) } : undefined;

/** Creates the innermost stage of a stream: it collects the signed parts before a layer can change them. */
export function signedStage(signer: string, onSigned: (reply: SignedReply) => void): Stage<Delta, Reply> {
  const deltas: Delta[] = [];
  const texts = new Set<string>();
  let signed = false;
  return {
    chunk(delta, emit) {
      emit(delta);
      if (delta.type !== "part") return;
      const { at, part } = delta;
      if (part.type === "text") {
        if (texts.has(at)) return; // one chunk is enough to know the place of text
        texts.add(at);
      }
      deltas.push(delta);
      signed ||= isBlock(part) || hasSignature(part);
    },
    flush() {
      const reply = signed ? signedOf(assembleReply(deltas), signer) : undefined;
      if (reply !== undefined) onSigned(reply);
    },
  };
}

const callIds = ({ parts }: Message): readonly (string | undefined)[] => parts.filter(isCall).map(({ id }) => id);

/**
 * Stores the signed parts of the reply that becomes part of the history.
 *
 * @param replies the signed replies of this round. Layers may have called the model more than once, or answered
 * themselves.
 * @param reply the reply after all layers.
 * @param message the same reply in the history, with other call ids if the model repeated some.
 */
export function keepSigned(
  run: RuntimeContext,
  replies: readonly SignedReply[],
  reply: Message,
  message: Message,
): void {
  if (replies.length === 0) return;
  const ids = callIds(reply);
  const signedReply = replies.findLast(({ places }) => places.some(({ id }) => id !== undefined && ids.includes(id)));
  if (signedReply === undefined) return;
  const finalIds = callIds(message);
  const places = signedReply.places.map((place): Place => {
    const id = place.id === undefined ? undefined : finalIds[ids.indexOf(place.id)];
    return id === undefined ? place : { ...place, id };
  });
  run.set(signedReplies, [...run.get(signedReplies), { ...signedReply, places }]);
}

/**
 * Returns the request for a client, with the unchanged parts that the provider of this client signed in this run. No
 * layer, span or other provider sees them.
 */
export function withSigned(run: RuntimeContext, request: ModelRequest, signer: string | undefined): ModelRequest {
  const stored = signer === undefined ? [] : run.get(signedReplies).filter((reply) => reply.signer === signer);
  if (stored.length === 0) return request;
  const byCall = new Map(
    stored.flatMap((reply) => reply.places.flatMap(({ id }) => (id === undefined ? [] : [[id, reply]]))),
  );
  const replaced = new Map<Message, Message>();
  const messages = request.messages.map((message) => {
    if (message.role !== "assistant") return message;
    const id = callIds(message).find((each) => each !== undefined && byCall.has(each));
    const reply = id === undefined ? undefined : byCall.get(id);
    const restored = reply === undefined ? message : restore(message, reply);
    if (restored !== message) replaced.set(message, restored);
    return restored;
  });
  if (replaced.size === 0) return request;
  const { cacheMarks } = request;
  const marks = cacheMarks?.map((mark) => ({ ...mark, after: replaced.get(mark.after) ?? mark.after }));
  return { ...request, messages, ...(marks !== undefined && { cacheMarks: marks }) };
}

/**
 * Restored messages by message. Messages never change, so each is restored once and clients can cache its conversion.
 */
const known = new WeakMap<Message, { readonly reply: SignedReply; readonly restored: Message }>();

function restore(message: Message, reply: SignedReply): Message {
  const before = known.get(message);
  if (before?.reply === reply) return before.restored;
  const parts = restoredParts(message.parts, reply);
  const same = parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index]);
  const restored = same ? message : { ...message, parts };
  known.set(message, { reply, restored });
  return restored;
}

/** Returns the parts that layers have kept, around the blocks that the provider signed. */
function restoredParts(remaining: readonly Part[], { places }: SignedReply): readonly Part[] {
  const rest = remaining.filter((part) => !isBlock(part));
  const parts: Part[] = [];
  for (const { type, id, block, native } of places) {
    if (block !== undefined) {
      parts.push(block);
      continue;
    }
    const at = rest.findIndex((part) => part.type === type && (id === undefined || ("id" in part && part.id === id)));
    if (at < 0) continue; // a layer removed it
    parts.push(...rest.splice(0, at + 1));
    const last = parts.at(-1);
    if (native !== undefined && last !== undefined && (last as { native?: unknown }).native !== native) {
      parts[parts.length - 1] = { ...last, native } as Part;
    }
  }
  return [...parts, ...rest];
}
