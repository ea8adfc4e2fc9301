import { type CallId, type Delta, type Outcome, type Reply, textOf } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import type { AnyStreamed } from "../framework.js";
import { endOf } from "../sdk/termination.js";
import { RunEvents } from "./events.js";
import { type Fed, StreamedResult } from "./feed.js";
import { noState } from "./no-state.js";
import { answer, answersIn, applyReply, createState, replyOf } from "./reply.js";
import { type Ended, RunSource } from "./source.js";
import type { Turn } from "./turn.js";

/**
 * Runs with streaming. Returns a result of the SDK's class with the same state, which receives the events after the
 * layers. Like the SDK's, it continues whether it is read or not.
 */
export async function streamed(turn: Turn): Promise<AnyStreamed> {
  const leg = new Leg(turn);
  try {
    const outcome = await leg.open();
    const out = leg.outward();
    // The SDK's traces, and spans of users, wait for this promise.
    out._setStreamLoopPromise(leg.pump(outcome, out));
    return out;
  } catch (error) {
    await turn.finish();
    throw error;
  }
}

class Leg {
  readonly #turn: Turn;
  readonly #before: number;
  #events = new RunEvents();
  #inner: Fed | undefined;
  #source: RunSource | undefined;
  /** True if the SDK shows the final output, which is hidden until its guardrails have passed. */
  #revealed = false;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#before = answersIn(turn.runCall.input);
  }

  open(): Promise<Outcome<Delta, Reply>> {
    return this.#turn.through(async (invocation) => {
      const events = new RunEvents();
      const inner = (await this.#turn.enter(invocation)) as Fed;
      inner._preserveQueuedItemsOnError();
      this.#watch(inner);
      this.#inner = inner;
      this.#events = events;
      this.#source = new RunSource(inner, events, (failure) => this.#ended(inner, events, invocation.call, failure));
      invocation.respond({ stream: this.#source });
    });
  }

  /** Creates the result for the caller. */
  outward(): Fed {
    const inner = this.#inner;
    const { signal } = this.#turn.runCall.options;
    const state = inner?.state ?? createState(this.#turn);
    const out = new StreamedResult({ state, ...(signal && { signal }) });
    out._hideFinalOutput();
    if (inner !== undefined) {
      out.maxTurns = inner.maxTurns;
      Object.defineProperty(out, "currentTurn", { get: () => inner.currentTurn, enumerable: true });
    }
    // The SDK decides how a cancelled run ends.
    this.#turn.follow(out, () => void this.#source?.stop().catch(() => {}));
    return out;
  }

  /** Reads to the end, whether the result is read or not. Never rejects. */
  async pump(outcome: Outcome<Delta, Reply>, out: Fed): Promise<void> {
    const turn = this.#turn;
    try {
      for await (const delta of outcome) for (const event of this.#events.write(delta)) out._addItem(event);
      const settlement = await outcome.settled;
      if (settlement.status === "failed") throw settlement.error;
      if (settlement.status === "cancelled") throw settlement.reason;
      if (settlement.status === "completed") {
        this.#apply(settlement.final, out);
        this.#revealed ||= this.#inner === undefined;
      } else if (this.#inner === undefined) throw noState(turn.runCall.agent.name);
      for (const event of this.#events.rest()) out._addItem(event);
      await turn.finish();
      if (this.#revealed) out._revealFinalOutput();
      out._done();
    } catch (error) {
      await turn.finish();
      const aborted = out.cancelled && error === turn.stopped?.reason;
      const failure = aborted ? this.#source?.failure : { error };
      if (failure === undefined) out._done();
      else out._raiseError(endOf(turn.run, failure.error), { preserveQueuedItems: true });
    }
  }

  /** Watches whether the SDK shows the final output. */
  #watch(inner: Fed): void {
    this.#revealed = false;
    const reveal = inner._revealFinalOutput;
    const value = (): void => {
      this.#revealed = true;
      reveal.call(inner);
    };
    Object.defineProperty(inner, "_revealFinalOutput", { value, configurable: true });
  }

  #ended(inner: Fed, events: RunEvents, call: CallId, failure?: { readonly error: unknown }): Ended {
    const waits = failure === undefined ? this.#turn.waits(inner.state, call) : undefined;
    if (waits !== undefined) return waits;
    const { stopped } = this.#turn;
    // For the layers a cut-off run is cancelled, however the SDK ended it.
    if (inner.cancelled && !this.#revealed && stopped !== undefined) throw stopped.reason;
    if (failure !== undefined) throw failure.error;
    // The final output may come from a tool and not have been streamed.
    const hasLast = events.last !== undefined;
    const deltas = explodeReply(replyOf(inner.state, this.#before));
    return { last: events.quietly(deltas.filter(({ type }) => type === "finish" || !hasLast)) };
  }

  #apply({ message }: Reply, out: Fed): void {
    const { last } = this.#events;
    if (this.#inner === undefined) answer(out.state, textOf(message));
    else if (last !== undefined) applyReply(out.state, last.received, last.released);
    else applyReply(out.state, textOf(replyOf(out.state, this.#before).message), textOf(message));
  }
}
