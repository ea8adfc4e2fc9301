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
import { setOwner } from "../sdk/current-run.js";
import { noteEntered } from "../sdk/entered-runner.js";
import { endOf } from "../sdk/termination.js";
import type { Fed } from "./feed.js";
import { forget, notifyDecisions, pendingIn, resumedFrom, suspend } from "./suspension.js";

/** The call of a user: `run(agent, input, options)` of a runner. */
export interface RunCall {
  readonly runner: RunnerLike;
  readonly original: Run;
  readonly agent: AgentLike;
  readonly input: unknown;
  readonly options: RunOptions;
}

/** One call of `run`: a new run, or a resumed one. */
export class Turn {
  readonly #parent: CallId | undefined;
  readonly #stopping: AbortController | undefined;
  /** Functions that remove its abort listeners. */
  #unfollow: (() => void)[] = [];
  #read: readonly Message[] | undefined;
  #notified = false;

  private constructor(
    readonly runs: FrameworkRuns,
    readonly runCall: RunCall,
    readonly run: SuiteRun,
    stopping?: AbortController,
  ) {
    const { signal } = runCall.options;
    this.#stopping = stopping;
    if (stopping && signal) this.#unfollow.push(onAbort(signal, () => stopping.abort(signal.reason)));
    this.#parent = runs.callAround(run);
  }

  /** Begins the run. The caller must always finish it. */
  static begin(runs: FrameworkRuns, request: RunCall, sessionId: string | undefined): Turn {
    const { agent, input, options } = request;
    // Layers and tools see a consumer that stops as an abort.
    const stopping = options.stream === true ? new AbortController() : undefined;
    const signal = stopping?.signal ?? options.signal;
    const run = runs.begin({
      agent: {
        name: agent.name,
        ...(agent.handoffDescription ? { description: agent.handoffDescription } : {}),
      },
      sessionId,
      // The SDK waits for running tools, and may make another call to close what it opened.
      onAbort: "tell",
      ...(signal && { signal }),
      ...(isState(input) && resumedFrom(input)),
    });
    setOwner(run, runs);
    serveAsk(run, runs.stack, agent, request.runner);
    return new Turn(runs, request, run, stopping);
  }

  /** The reason why layers and tools were stopped, or `undefined` if they were not. */
  get stopped(): { readonly reason: unknown } | undefined {
    const signal = this.#stopping?.signal ?? this.runCall.options.signal;
    return signal?.aborted === true ? { reason: signal.reason } : undefined;
  }

  /** Aborts layers and tools when the result that the caller reads is cancelled. */
  follow(result: Fed, stop?: () => void): void {
    const signal = result._getAbortSignal();
    if (signal === undefined || this.run.ended) return;
    const off = onAbort(signal, () => {
      this.#stopping?.abort(new CoreError("ERR_CANCELLED", "The consumer stopped reading."));
      stop?.();
    });
    this.#unfollow.push(off);
  }

  /** Ends the run. Returns a promise only if there is something to wait for. */
  finish(): Promise<void> | undefined {
    for (const off of this.#unfollow) off();
    this.#unfollow = [];
    return this.run.finish();
  }

  /** Makes the `agent` call through the layers. */
  through(core: CallCore<"agent">): Promise<Outcome<Delta, Reply>> {
    const { input } = this.runCall;
    const request: AgentRequest = { messages: this.#messages, ...(isState(input) && { resume: [] }) };
    return this.runs.stack.call(
      "agent",
      this.run,
      request,
      async (invocation) => {
        this.#notifyDecisions(invocation.call);
        try {
          await core(invocation);
        } catch (error) {
          throw endOf(this.run, error);
        }
      },
      this.#parent,
    );
  }

  /** Starts the SDK with the input after the layers. */
  enter({ request: { messages }, call }: Invocation<"agent">): Promise<AnyResult | AnyStreamed> {
    const { runner, original, agent, input, options } = this.runCall;
    const finalInput = isState(input) || messages === this.#messages ? input : inputOf(input, messages);
    noteEntered(call, runner, agent);
    return original.call(runner, agent, finalInput, options);
  }

  /** Starts the SDK without layers, with the original input, in a call that its tools and models can find. */
  direct(call: CallId): Promise<AnyResult | AnyStreamed> {
    const { runner, original, agent, input, options } = this.runCall;
    this.#notifyDecisions(call);
    noteEntered(call, runner, agent);
    const enter = () => original.call(runner, agent, input, options);
    return this.run.ambient === undefined ? enter() : this.run.ambient.run({ runtime: this.run, call }, enter);
  }

  /** Returns the id of the call of a run without layers. */
  identify(): CallId {
    return this.run.identify("agent", this.#parent);
  }

  /** Returns the calls that the run waits for, or `undefined` if it does not wait. */
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
    const { input } = this.runCall;
    this.#read ??= toMessages(isState(input) ? input.history : (input as string | readonly Item[]));
    return this.#read;
  }

  #notifyDecisions(call: CallId): void {
    const { input } = this.runCall;
    if (isState(input) && !this.#notified) notifyDecisions(input, this.run, call, this.runs.stack.has.approval);
    this.#notified = true;
  }
}

function inputOf(input: unknown, messages: readonly Message[]): readonly Item[] {
  const originals = new Originals(Array.isArray(input) ? (input as readonly Item[]) : []);
  return messages.flatMap((message) => originals.itemsOf(message));
}
