import {
  type AgentRequest,
  type CallId,
  CoreError,
  type Delta,
  type Invocation,
  type Message,
  type Outcome,
  onAbort,
  type Reply,
} from "@suite/core";
import type { CallCore, Run as SuiteRun } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import {
  type AgentLike,
  type AnyResult,
  type AnyState,
  type AnyStreamed,
  type Item,
  isState,
  type Run,
  type RunnerLike,
  type RunOptions,
} from "../framework.js";
import { Originals } from "../messages/from-neutral.js";
import { toMessages } from "../messages/to-neutral.js";
import { serveAsk } from "../model/plugin-ask.js";
import { own } from "../sdk/current-run.js";
import { noteEntered } from "../sdk/entered-runner.js";
import { endOf } from "../sdk/termination.js";
import type { Fed } from "./feed.js";
import { forget, pendingIn, resumedFrom, suspend, tellDecisions } from "./suspension.js";

/** The call of a user: `run(agent, input, options)` of a runner. */
export interface Asked {
  readonly runner: RunnerLike;
  readonly original: Run;
  readonly agent: AgentLike;
  readonly input: unknown;
  readonly options: RunOptions;
}

/** One call of `run`: a run of its own, or one that goes on. */
export class Turn {
  readonly #parent: CallId | undefined;
  readonly #stopping: AbortController | undefined;
  /** Let the signals go that it listens to. */
  #unfollow: (() => void)[] = [];
  #read: readonly Message[] | undefined;
  #told = false;

  private constructor(
    readonly runs: FrameworkRuns,
    readonly asked: Asked,
    readonly run: SuiteRun,
    stopping?: AbortController,
  ) {
    const { signal } = asked.options;
    this.#stopping = stopping;
    if (stopping && signal) this.#unfollow.push(onAbort(signal, () => stopping.abort(signal.reason)));
    this.#parent = runs.callAround(run);
  }

  /** Begins its run. Finish it whatever happens. */
  static begin(runs: FrameworkRuns, asked: Asked, sessionId: string | undefined): Turn {
    const { agent, input, options } = asked;
    // A reader who stops is told to layers and tools as an abort is.
    const stopping = options.stream === true ? new AbortController() : undefined;
    const signal = stopping?.signal ?? options.signal;
    const run = runs.begin({
      agent: {
        name: agent.name,
        ...(agent.handoffDescription ? { description: agent.handoffDescription } : {}),
      },
      sessionId,
      // The SDK waits for tools that run, and may ask once more to close what it opened.
      onAbort: "tell",
      ...(signal && { signal }),
      ...(isState(input) && resumedFrom(input)),
    });
    own(run, runs);
    serveAsk(run, runs.stack, agent, asked.runner);
    return new Turn(runs, asked, run, stopping);
  }

  /** The reason for which layers and tools were told to stop; undefined where they were not. */
  get stopped(): { readonly reason: unknown } | undefined {
    const signal = this.#stopping?.signal ?? this.asked.options.signal;
    return signal?.aborted === true ? { reason: signal.reason } : undefined;
  }

  /** Tells layers and tools that nobody reads on, when the result that the user reads is cancelled. */
  follow(result: Fed, stop?: () => void): void {
    const signal = result._getAbortSignal();
    if (signal === undefined || this.run.ended) return;
    const off = onAbort(signal, () => {
      this.#stopping?.abort(new CoreError("ERR_CANCELLED", "The consumer stopped reading."));
      stop?.();
    });
    this.#unfollow.push(off);
  }

  /** Ends its run; a promise only where there is something to wait for. */
  finish(): Promise<void> | undefined {
    for (const off of this.#unfollow) off();
    this.#unfollow = [];
    return this.run.finish();
  }

  /** The call of `agent`. */
  through(core: CallCore<"agent">): Promise<Outcome<Delta, Reply>> {
    const { input } = this.asked;
    const request: AgentRequest = { messages: this.#messages, ...(isState(input) && { resume: [] }) };
    return this.runs.stack.call(
      "agent",
      this.run,
      request,
      async (invocation) => {
        this.#tellDecisions(invocation.call);
        try {
          await core(invocation);
        } catch (error) {
          throw endOf(this.run, error);
        }
      },
      this.#parent,
    );
  }

  /** Lets the SDK run, with the input that the layers left. */
  enter({ request: { messages }, call }: Invocation<"agent">): Promise<AnyResult | AnyStreamed> {
    const { runner, original, agent, input, options } = this.asked;
    const left = isState(input) || messages === this.#messages ? input : inputOf(input, messages);
    noteEntered(call, runner, agent);
    return original.call(runner, agent, left, options);
  }

  /** Lets the SDK run where no layer is round the run: with what it was given, in a call that its tools and models find. */
  direct(call: CallId): Promise<AnyResult | AnyStreamed> {
    const { runner, original, agent, input, options } = this.asked;
    this.#tellDecisions(call);
    noteEntered(call, runner, agent);
    const enter = () => original.call(runner, agent, input, options);
    return this.run.ambient === undefined ? enter() : this.run.ambient.run({ runtime: this.run, call }, enter);
  }

  /** The call that a run without layers is. */
  identify(): CallId {
    return this.run.identify("agent", this.#parent);
  }

  /** The calls that the run waits for; undefined where it does not. */
  waits(state: AnyState, call: CallId) {
    const handedOutAt = Date.now();
    const pending = pendingIn(state, handedOutAt);
    if (pending.length === 0) {
      forget(state);
      return undefined;
    }
    this.run.notify({ type: "suspension", call, pending });
    suspend(state, this.run, handedOutAt);
    return { suspended: pending };
  }

  get #messages(): readonly Message[] {
    const { input } = this.asked;
    this.#read ??= toMessages(isState(input) ? input.history : (input as string | readonly Item[]));
    return this.#read;
  }

  #tellDecisions(call: CallId): void {
    const { input } = this.asked;
    if (isState(input) && !this.#told) tellDecisions(input, this.run, call, this.runs.stack.has.approval);
    this.#told = true;
  }
}

function inputOf(input: unknown, messages: readonly Message[]): readonly Item[] {
  const originals = new Originals(Array.isArray(input) ? (input as readonly Item[]) : []);
  return messages.flatMap((message) => originals.itemsOf(message));
}
