import type { Link, SpanContext } from "@opentelemetry/api";
import { type Pending, type RuntimeContext, stateKey } from "@suite/core";
import { linkTo } from "../context/link.js";
import { type Origin, originOf, readOrigin, spanContextOf } from "./origin.js";

/** The most pending calls of one run that are linked: the pending state is limited in size. */
const MOST = 256;

/**
 * The turn that asked for each pending tool call, by the call's id. Durable: it travels in the signed pending state,
 * so that a resume in another process finds the trace again.
 */
const pendingOrigins = stateKey("tracing.pending", () => new Map<string, Origin>(), {
  save: (origins) => Object.fromEntries(origins),
  load(stored) {
    const origins = new Map<string, Origin>();
    for (const [id, value] of Object.entries(Object(stored)).slice(0, MOST)) {
      const origin = readOrigin(value);
      if (origin !== undefined) origins.set(id, origin);
    }
    return origins;
  },
});

/** The turns of a run that is suspended and goes on. */
interface Turns {
  /** The turn at work. */
  now?: Origin;
  /** The turn whose state this run goes on with. */
  before?: Origin | undefined;
}

/**
 * The turn that saved the state of a run. A framework may save the state with a call before it decides that the call waits,
 * so that no call is pending in it: then the turn that saved it is the one that asked.
 */
const turnsOf = stateKey("tracing.turn", (): Turns => ({}), {
  save: ({ now }) => now,
  load: (stored): Turns => ({ before: readOrigin(stored) }),
});

/** Keeps the span of the turn at work, for calls that wait without being reported as pending. */
export function keepTurn(runtime: RuntimeContext, turn: SpanContext): void {
  runtime.get(turnsOf).now = originOf(turn, "approval");
}

/** Keeps the turn's span as the origin of what is pending. What an earlier turn asked for stays that turn's. */
export function keepOrigins(runtime: RuntimeContext, pending: readonly Pending[], turn: SpanContext): void {
  const known = runtime.get(pendingOrigins);
  const kept = pending
    .slice(0, MOST)
    .map(({ part, reason }) => [part.id, known.get(part.id) ?? originOf(turn, reason)] as const);
  runtime.set(pendingOrigins, new Map(kept));
}

/** The turn that asked for a call, and what the call waited for. */
export interface AskedBy {
  readonly turn?: SpanContext | undefined;
  readonly reason?: Pending["reason"] | undefined;
}

/** The origin of a call, once: a second result finds nothing. */
export function takeOrigin(runtime: RuntimeContext, toolCallId: string): AskedBy {
  const origins = runtime.get(pendingOrigins);
  const origin = origins.get(toolCallId) ?? runtime.get(turnsOf).before;
  origins.delete(toolCallId);
  return origin === undefined ? {} : { turn: spanContextOf(origin), reason: origin.reason };
}

/** Links from a resuming turn to the turns that asked. */
export function linksToOrigins(runtime: RuntimeContext): Link[] {
  const turns = new Map<string, Origin>();
  const { before } = runtime.get(turnsOf);
  if (before !== undefined) turns.set(before.traceparent, before);
  for (const origin of runtime.get(pendingOrigins).values()) turns.set(origin.traceparent, origin);
  return [...turns.values()].flatMap((origin) => {
    const turn = spanContextOf(origin);
    return turn === undefined ? [] : [linkTo(turn, "resumes")];
  });
}
