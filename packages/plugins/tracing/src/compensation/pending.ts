import type { Link, SpanContext } from "@opentelemetry/api";
import { type RuntimeContext, stateKey } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { linkTo } from "../context/link.js";
import { type Origin, originOf, readOrigin, spanContextOf } from "./origin.js";

/** Maximum number of pending calls of one run that are linked: the size of the pending state is limited. */
const MOST = 256;

/**
 * The turn that requested each pending tool call, by the call's id. Durable: it is part of the signed pending state, so
 * that a resume in another process finds the trace again.
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

/** The turns of a run that was suspended and resumed. */
interface Turns {
  /** The current turn. */
  now?: Origin;
  /** The turn whose state this run continues. */
  before?: Origin | undefined;
}

/**
 * The turn that saved the state of a run. A framework may save the state of a call before it decides that the call
 * waits, so that the state contains no pending call. Then the turn that saved it is the origin.
 */
const turnsOf = stateKey("tracing.turn", (): Turns => ({}), {
  save: ({ now }) => now,
  load: (stored): Turns => ({ before: readOrigin(stored) }),
});

/** Keeps the span of the current turn, for calls that wait without being reported as pending. */
export function keepTurn(runtime: RuntimeContext, turn: SpanContext): void {
  runtime.get(turnsOf).now = originOf(turn, "approval");
}

/**
 * Keeps the turn's span as the origin of the pending calls. Calls of an earlier turn keep that turn as their origin.
 */
export function keepOrigins(runtime: RuntimeContext, pending: readonly Pending[], turn: SpanContext): void {
  const known = runtime.get(pendingOrigins);
  const entries = pending
    .slice(0, MOST)
    .map(({ part, reason }) => [part.id, known.get(part.id) ?? originOf(turn, reason)] as const);
  runtime.set(pendingOrigins, new Map(entries));
}

/** The turn that requested a call, and the reason why the call waited. */
export interface RequestOrigin {
  readonly turn?: SpanContext | undefined;
  readonly reason?: Pending["reason"] | undefined;
}

/** Returns and removes the origin of a call, so that a second result finds none. */
export function takeOrigin(runtime: RuntimeContext, toolCallId: string): RequestOrigin {
  const origins = runtime.get(pendingOrigins);
  const origin = origins.get(toolCallId) ?? runtime.get(turnsOf).before;
  origins.delete(toolCallId);
  return origin === undefined ? {} : { turn: spanContextOf(origin), reason: origin.reason };
}

/** Returns links from a resuming turn to the turns that requested the calls. */
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
