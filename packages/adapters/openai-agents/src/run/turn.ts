import type { AgentRequest, CallId, Delta, Invocation, Message, Outcome, Reply } from "@suite/core";
import type { CallCore, Run as SuiteRun } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import { noteEntered } from "../attach/entered.js";
import { own } from "../attach/here.js";
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
import { forget, pendingIn, resumedFrom, suspend, tellDecisions } from "./suspension.js";
import { endOf } from "./termination.js";

/** What a user called: `run(agent, input, options)` of a runner. */
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
  readonly #messages: readonly Message[];
  #told = false;

  private constructor(
    readonly runs: FrameworkRuns,
    readonly asked: Asked,
    readonly run: SuiteRun,
    messages: readonly Message[],
  ) {
    this.#messages = messages;
    this.#parent = runs.callAround(run);
  }

  /** Begins its run. End it whatever happens. */
  static async begin(runs: FrameworkRuns, asked: Asked): Promise<Turn> {
    const { agent, runner, input, options } = asked;
    const { signal } = options;
    const messages = toMessages(isState(input) ? input.history : (input as string | readonly Item[]));
    const run = runs.begin({
      agent: {
        name: agent.name,
        ...(agent.handoffDescription ? { description: agent.handoffDescription } : {}),
      },
      sessionId: options.conversationId ?? runner.config.groupId ?? (await options.session?.getSessionId()),
      ...(signal && { signal }),
      ...(isState(input) && resumedFrom(input)),
    });
    own(run, runs);
    return new Turn(runs, asked, run, messages);
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
        if (isState(input) && !this.#told) tellDecisions(input, this.run, invocation.call);
        this.#told = true;
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

  /** What the run waits for; undefined where it does not. */
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
}

function inputOf(input: unknown, messages: readonly Message[]): readonly Item[] {
  const originals = new Originals(Array.isArray(input) ? (input as readonly Item[]) : []);
  return messages.flatMap((message) => originals.itemsOf(message));
}
