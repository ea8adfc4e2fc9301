import { StreamedRunResult } from "@openai/agents";
import { type CallId, type Delta, explodeReply, type Outcome, onAbort, type Reply, textOf } from "@suite/core";
import type { AnyStreamed, RunEvent } from "../framework.js";
import { RunEvents } from "../stream/run-events.js";
import { type Ended, RunSource } from "../stream/source.js";
import { noState } from "./no-state.js";
import { answer, answersIn, applyReply, madeState, replyOf } from "./reply.js";
import type { Turn } from "./turn.js";

/** What the SDK's own runner uses of its results, and does not declare. */
interface Feed {
  _addItem(event: RunEvent): void;
  _done(): void;
  _raiseError(error: unknown, options: { readonly preserveQueuedItems: boolean }): void;
  _preserveQueuedItemsOnError(): void;
  _hideFinalOutput(): void;
  _revealFinalOutput(): void;
  _getAbortSignal(): AbortSignal | undefined;
}

type Fed = AnyStreamed & Feed;

/**
 * A run whose answer streams. What the user is given is a result of the SDK's own class, over the same state, which is told
 * what the layers let through: as the SDK's own, it goes on whether it is read or not.
 */
export async function streamed(turn: Turn): Promise<AnyStreamed> {
  const leg = new Leg(turn);
  try {
    const outcome = await leg.open();
    const out = leg.outward();
    void leg.pump(outcome, out);
    return out;
  } catch (error) {
    await turn.run.end();
    throw error;
  }
}

class Leg {
  readonly #turn: Turn;
  readonly #before: number;
  #events = new RunEvents();
  #inner: Fed | undefined;
  #source: RunSource | undefined;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#before = answersIn(turn.asked.input);
  }

  open(): Promise<Outcome<Delta, Reply>> {
    return this.#turn.through(async (invocation) => {
      const events = new RunEvents();
      const inner = (await this.#turn.enter(invocation)) as Fed;
      inner._preserveQueuedItemsOnError();
      this.#inner = inner;
      this.#events = events;
      this.#source = new RunSource(inner, events, () => this.#ended(inner, events, invocation.call));
      invocation.respond({ stream: this.#source });
    });
  }

  /** The result that the user is given. */
  outward(): Fed {
    const inner = this.#inner;
    const { signal } = this.#turn.asked.options;
    const state = inner?.state ?? madeState(this.#turn);
    const out = new StreamedRunResult({ state, ...(signal && { signal }) }) as Fed;
    out._hideFinalOutput();
    if (inner !== undefined) {
      out.maxTurns = inner.maxTurns;
      Object.defineProperty(out, "currentTurn", { get: () => inner.currentTurn, enumerable: true });
    }
    return out;
  }

  /** Reads to the end, whoever reads what comes of it; never rejects. */
  async pump(outcome: Outcome<Delta, Reply>, out: Fed): Promise<void> {
    const { run } = this.#turn;
    const signal = out._getAbortSignal();
    // The SDK is told first, so that what it waits for ends before the run does.
    const stop = (): void => {
      this.#source?.stop().catch(() => {}); // a stream that has failed is over already
      void run.end();
    };
    const off = signal && onAbort(signal, stop);
    try {
      for await (const delta of outcome) for (const event of this.#events.write(delta)) out._addItem(event);
      const settlement = await outcome.settled;
      if (settlement.status === "failed") throw settlement.error;
      if (settlement.status === "cancelled") throw settlement.reason;
      if (settlement.status === "completed") this.#apply(settlement.final, out);
      else if (this.#inner === undefined) throw noState(this.#turn.asked.agent.name);
      for (const event of this.#events.rest()) out._addItem(event);
      await run.end();
      out._revealFinalOutput();
      out._done();
    } catch (error) {
      await run.end();
      if (out.cancelled) out._done();
      else out._raiseError(error, { preserveQueuedItems: true });
    } finally {
      off?.();
    }
  }

  #ended(inner: Fed, events: RunEvents, call: CallId): Ended {
    const waits = this.#turn.waits(inner.state, call);
    if (waits !== undefined) return waits;
    // A tool may have said the last word, which did not stream.
    const told = events.last !== undefined;
    const deltas = explodeReply(replyOf(inner.state, this.#before));
    return { last: events.quietly(deltas.filter(({ type }) => type === "finish" || !told)) };
  }

  #apply({ message }: Reply, out: Fed): void {
    const { last } = this.#events;
    if (this.#inner === undefined) answer(out.state, textOf(message));
    else if (last !== undefined) applyReply(out.state, last.came, last.left);
    else applyReply(out.state, textOf(replyOf(out.state, this.#before).message), textOf(message));
  }
}
