import type { TracerProvider } from "@opentelemetry/api";
import {
  type AnyInvocation,
  type CallId,
  type Kind,
  MiddlewareTermination,
  type Outcome,
  type Plugin,
  type Request,
} from "@suite/core";
import { type CallCore, PluginStack, type Run } from "@suite/core/adapter";
import type { Pending, Suspended } from "@suite/core/contract";
import { tracing } from "../src/index.js";
import { abortable, letGo, requests, tell, values, word } from "./random-calls.js";
import { every, meddle } from "./random-layers.js";
import type { Plan, Step } from "./random-plan.js";
import type { Teller } from "./span-book.js";

/** Lives through one plan: its turns, one run each, and lets go of what hangs when all are over. */
export class RandomRun {
  readonly #stack: PluginStack;
  readonly #steps = new WeakMap<CallId, Step>();
  /** The step of the call that is being made: its outermost layer is entered at once. */
  #next: Step | undefined;
  readonly #meddled = { happens: () => this.#happens(), hang: () => this.#hang() };
  #hanging: (() => void)[] = [];
  #happened = 0;
  #ids = 0;
  #aborting = new AbortController();
  /** The ends of runs inside: nobody waits for one where its sibling throws or all are aborted. */
  readonly #ends: Promise<void>[] = [];

  constructor(
    readonly plan: Plan,
    teller: Teller,
    tracerProvider: TracerProvider,
  ) {
    const traced = [teller.plugin, tracing({ content: plan.content, tracerProvider, warn: () => {} })];
    const [first, second] = [this.#layers("outer"), this.#layers("inner")];
    const around = [
      [first, ...traced, second],
      [first, second, ...traced],
      [...traced, first, second],
    ];
    this.#stack = new PluginStack([this.#entrance(), ...(around[plan.place] ?? [])]);
  }

  /** All runs have ended when it resolves, those inside others too. */
  async play(): Promise<void> {
    await this.#play();
    await Promise.all(this.#ends);
  }

  async #play(): Promise<void> {
    let durable: Record<string, unknown> | undefined;
    let waiting: readonly Pending[] = [];
    for (const turn of this.plan.turns) {
      this.#aborting = new AbortController();
      const run = this.#stack.begin({ runId: "run", agent: { name: "root" }, signal: this.#aborting.signal, durable });
      const told = waiting;
      const outcome = await this.#call(turn, run, undefined, (call) => tell(run, call, told, this.plan.outcome)).catch(
        () => {},
      );
      const settlement = outcome && (await Promise.race([outcome.settled, run.end().then(() => outcome.settled)]));
      durable = run.save();
      await run.end();
      if (settlement?.status !== "suspended") return;
      waiting = settlement.pending;
    }
  }

  /** Releases what hung, now that nobody waits for it any more. */
  async release(): Promise<void> {
    for (let round = 0; this.#hanging.length > 0 && round < 10; round++) {
      const hanging = this.#hanging;
      this.#hanging = [];
      for (const go of hanging) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** One call, read as its step says. */
  async #call(step: Step, run: Run, parent: CallId | undefined, first?: (call: CallId) => void) {
    this.#next = step;
    const id = `${step.waits}-${this.#ids++}`;
    const request = requests[step.kind](step, id) as Request<Kind>;
    const core = this.#core(step, run, id, first) as CallCore<Kind>;
    const outcome = await this.#stack.call(step.kind as Kind, run, request, core, parent);
    if (step.reader.how !== "reads late") await this.#read(outcome, step);
    return outcome;
  }

  async #read(outcome: Outcome<unknown, unknown>, { reader: { how, after } }: Step): Promise<void> {
    if (how === "leaves it") return;
    if (how === "asks for the value") return void (await outcome.final().catch(() => {}));
    let count = 0;
    for await (const _ of outcome) if (how === "breaks" && count++ === after) break;
  }

  #core(step: Step, run: Run, id: string, first?: (call: CallId) => void): CallCore<Kind> {
    return async (invocation) => {
      const { call, runtime } = invocation;
      const part = { type: "tool_call", id, name: "t", arguments: {} } as const;
      if (step.kind === "tool" && step.waits !== "no") {
        return invocation.respond({ suspended: [{ reason: step.waits, part }] });
      }
      const body = this.#body(step, run, call, first);
      // Who reads a stream may let go of it at any time, whatever it is at.
      const open = { [Symbol.asyncIterator]: () => letGo(body) };
      if (!step.source.plain) return invocation.respond({ stream: open as AsyncIterable<never, Suspended | void> });
      const deaf = step.source.how === "hangs and hears nothing" && step.kind !== "agent";
      let last: IteratorResult<unknown, Suspended | void>;
      do last = await (deaf ? body.next() : abortable(body.next(), runtime.signal));
      while (last.done !== true);
      invocation.respond(last.value ?? { value: values[step.kind] as never });
    };
  }

  /** The body of a call: the calls inside it first, then its own chunks. */
  async *#body(
    step: Step,
    run: Run,
    call: CallId,
    first?: (call: CallId) => void,
  ): AsyncGenerator<unknown, Suspended | void> {
    first?.(call);
    const waiting = await this.#inside(step, run, call);
    const { how, at } = step.source;
    for (let count = 0; count < 3; count++) {
      if (count === at) {
        if (how === "throws") throw new Error("broke");
        if (how === "terminates") throw new MiddlewareTermination("enough");
        if (how === "aborts" || how === "aborts and goes on") this.#aborting.abort(new Error("stop"));
        if (how === "aborts") run.signal.throwIfAborted();
        if (how === "hangs" || how === "hangs and hears nothing") await this.#hang();
        if (how === "suspends" && step.kind === "agent") return { suspended: waiting };
      }
      this.#happens();
      yield step.kind === "agent" || step.kind === "model" ? word(String(count)) : values[step.kind];
    }
    if (waiting.length === 0 || step.kind !== "agent") return;
    run.notify({ type: "suspension", call, pending: waiting });
    return { suspended: waiting };
  }

  async #inside({ inside, parallel }: Step, run: Run, call: CallId): Promise<readonly Pending[]> {
    if (inside.length === 0) return [];
    const waiting: Pending[] = [];
    const late: (() => Promise<unknown>)[] = [];
    const one = async (step: Step): Promise<void> => {
      // An agent inside another is a run of its own.
      const [own, end] = step.kind === "agent" ? this.#subRun(run) : [run, undefined];
      try {
        const outcome = await this.#call(step, own, call);
        if (step.reader.how === "reads late" && end === undefined) late.push(() => this.#read(outcome, step));
        else if (step.reader.how !== "leaves it" && step.reader.how !== "reads late") {
          const settlement = await outcome.settled;
          if (settlement.status === "suspended") waiting.push(...settlement.pending);
        }
      } finally {
        await end?.();
      }
    };
    const all = parallel ? [Promise.allSettled(inside.map(one))] : inside;
    for (const each of all) {
      const work = each instanceof Promise ? each : one(each);
      await abortable(
        work.then(() => {}),
        run.signal,
      ).catch((error) => {
        if (run.signal.aborted) throw error;
      });
    }
    for (const read of late) await read().catch(() => {});
    return waiting;
  }

  #subRun(parent: Run): readonly [Run, () => Promise<void>] {
    const run = this.#stack.begin({ agent: { name: "sub" }, parent, signal: this.#aborting.signal });
    let ended = (): void => {};
    this.#ends.push(
      new Promise((resolve) => {
        ended = resolve;
      }),
    );
    return [run, () => run.end().finally(ended)];
  }

  /** Hangs whatever is aborted; the abort comes, since somebody runs out of patience. */
  #hang(): Promise<void> {
    const { signal } = this.#aborting;
    setImmediate(() => {
      if (!signal.aborted) this.#aborting.abort(new DOMException("took too long", "TimeoutError"));
    });
    return new Promise((resolve) => this.#hanging.push(resolve));
  }

  #happens(): void {
    if (this.#happened++ === this.plan.abortAt) this.#aborting.abort(new Error("stop"));
  }

  /** Knows which step a call is of: it is entered in the same moment. */
  #entrance(): Plugin {
    const enter = (call: AnyInvocation, next: () => Promise<void>): Promise<void> => {
      if (this.#next !== undefined) this.#steps.set(call.call, this.#next);
      this.#next = undefined;
      return next();
    };
    return { name: "entrance", ...every(enter) };
  }

  #layers(name: "outer" | "inner"): Plugin {
    return {
      name,
      ...every((call, next) => meddle(this.#steps.get(call.call)?.[name], call, next, this.#meddled)),
    };
  }
}
