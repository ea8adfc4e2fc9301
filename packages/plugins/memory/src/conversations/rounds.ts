import { type Message, message, type Reply, textOf } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { isObject } from "@suite/kit";

/** The state of a run in a conversation. A suspension saves all of it except the messages. */
export interface OfRun {
  readonly session: string;
  readonly user: string | undefined;
  /** The version of the conversation at the start of the run. */
  readonly version: string | undefined;
  /** The time at which the run began, in milliseconds since the epoch. */
  readonly began: number;
  /** The number of messages before the run, and the text of the last of them. */
  readonly before: number;
  readonly last: string;
  /** The messages at the start of the latest round, or of the run if no round has begun. */
  readonly asked: readonly Message[];
  /** The reply of that round. */
  readonly said?: Message;
}

/**
 * Returns the messages of a completed run, and all messages if the run replaced earlier ones (by a summary, for
 * example).
 */
export function turnOf(
  { before, last, asked, said }: OfRun,
  final: Reply,
): { readonly own: readonly Message[]; readonly replaced: readonly Message[] | undefined } {
  const all = asked.filter(({ role }) => role !== "system");
  const answer = answerOf(said, final);
  const lastKnown = all[before - 1];
  const goesOn = before === 0 || (all.length > before && lastKnown !== undefined && textOf(lastKnown) === last);
  const own = goesOn ? all.slice(before) : all.slice(Math.max(0, all.findLastIndex(isQuestion)));
  return { own: [...own, answer], replaced: goesOn ? undefined : [...all, answer] };
}

/**
 * Returns the last message of a run: the reply of its last round, or a layer's replacement. Calls that were not run are
 * removed.
 */
function answerOf(reply: Message | undefined, { message: final }: Reply): Message {
  const finalText = textOf(final.parts.slice(final.parts.findLastIndex(({ type }) => type === "tool_call") + 1));
  const parts = (reply?.parts ?? []).filter(({ type }) => type !== "tool_call");
  const replyText = textOf(parts);
  return replyText !== "" && finalText.endsWith(replyText)
    ? { role: "assistant", parts }
    : message("assistant", finalText);
}

export function saved(ofRun: OfRun | undefined): unknown {
  if (ofRun === undefined) return null;
  const { asked: _, said: __, ...rest } = ofRun;
  return rest;
}

export function loaded(stored: unknown): OfRun | undefined {
  if (!isObject(stored)) return undefined;
  const { session, user, version, before, last, began } = stored;
  if (typeof session !== "string" || typeof last !== "string" || !Number.isSafeInteger(before)) return undefined;
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    session,
    last,
    before: Number(before),
    user: text(user),
    version: text(version),
    began: typeof began === "number" ? began : 0,
    asked: [],
  };
}
