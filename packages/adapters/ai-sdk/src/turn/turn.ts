import {
  type AgentRequest,
  type CallId,
  type Delta,
  type Invocation,
  MiddlewareTermination,
  type Outcome,
  type Part,
  type Reply,
} from "@suite/core";
import type { CallCore, PluginStack, Run } from "@suite/core/adapter";
import type { AgentInfo, Pending } from "@suite/core/contract";
import { type FrameworkRuns, ToolAdmission } from "@suite/core/framework";
import type { Settings } from "../framework.js";
import { keyOf } from "../messages/ticket.js";
import { serveAsk } from "../model/plugin-ask.js";
import { resolveModel } from "../model/resolve.js";
import { type History, historyOf, type Waited, waitedFor } from "./history.js";
import { notifyOfResumption, resumedFrom } from "./resume.js";

/** An opened turn: the agent layers called the framework, or answered without it. */
export type Opened =
  | { readonly request: AgentRequest; readonly answered?: never }
  | { readonly answered: Outcome<Delta, Reply>; readonly request?: never };

/** A decision on a call, by a person or by a layer in place of a person. */
export type Verdict = { readonly input: unknown } | { readonly refused: Error };

/** A layer's answer in place of an external tool. */
export type Answered = { readonly name: string } & ({ readonly value: unknown } | { readonly error: unknown });

/** One call of `generateText`, `streamText` or an agent. It has a run. */
export class Turn {
  readonly history: History;
  readonly waited: readonly Waited[];
  /** Decisions of this turn, by tool call id. */
  readonly verdicts = new Map<string, Verdict>();
  /** The arguments that a `humanInput` layer received and approved in place of a person, by tool call id. */
  readonly approvedHere = new Map<string, unknown>();
  /** Answers and errors of layers in place of external tools, by tool call id. */
  readonly answers = new Map<string, Answered>();
  /** Pending calls that were handed out, by tool call id, in the order of the calls. */
  readonly handedOut = new Map<string, Pending>();
  #key: Promise<CryptoKey> | undefined;
  #admission: ToolAdmission | undefined;
  #run: Run | undefined;
  #call: CallId | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** The opened turn. It is set when the turn opens, so that later readers need not wait. */
  isOpen: Opened | undefined;
  /** The error that a layer threw before the turn opened. */
  #refused: { readonly error: unknown } | undefined;
  #opened: Promise<Opened> | undefined;
  #notifyOpened: (() => void) | undefined;

  constructor(
    readonly runs: FrameworkRuns,
    readonly settings: Settings,
    readonly agent: AgentInfo | undefined,
    /** True if the answer streams. An abort ends a stream at once. Otherwise the framework handles the abort. */
    readonly streams: boolean,
  ) {
    this.history = historyOf(settings);
    // The result of a tool with `execute` may also be at the end of the history, if the framework was configured to
    // stop there.
    const runsHere = (name: string): boolean => settings.tools?.[name]?.execute !== undefined;
    this.waited = waitedFor(this.history).filter(({ name, approval }) => approval !== undefined || !runsHere(name));
  }

  /** The opened turn. Rejects with the error that a layer threw before. The promise is created on demand. */
  get opened(): Promise<Opened> {
    if (this.#opened === undefined) {
      this.#opened = new Promise((resolve, reject) => {
        this.#notifyOpened = () => {
          if (this.isOpen !== undefined) resolve(this.isOpen);
          else if (this.#refused !== undefined) reject(this.#refused.error);
        };
        this.#notifyOpened();
      });
      this.#opened.catch(() => {}); // callers of `enter` get the error
    }
    return this.#opened;
  }
  #open(opened: Opened): void {
    if (this.#refused === undefined) this.isOpen ??= opened;
    this.#notifyOpened?.();
  }
  get stack(): PluginStack {
    return this.runs.stack;
  }
  /** The key for signing tickets. */
  get key(): Promise<CryptoKey> {
    this.#key ??= keyOf(this.settings.experimental_toolApprovalSecret);
    return this.#key;
  }
  get begun(): Run | undefined {
    return this.#run;
  }
  /** The run. Defined only after the turn has opened. */
  get run(): Run {
    return this.#run as Run;
  }
  /** The approval checks of the plugins. Defined only after the turn has opened. */
  get admission(): ToolAdmission {
    this.#admission ??= new ToolAdmission(this.stack, this.run);
    return this.#admission;
  }
  /** The agent call, the parent of all other calls. */
  get call(): CallId | undefined {
    return this.#call;
  }

  /** Runs the turn through the `agent` layers. */
  async enter(core: CallCore<"agent">): Promise<Outcome<Delta, Reply>> {
    try {
      // Without waiting calls there is nothing to await, so the turn starts synchronously, as without the suite.
      const resumed = this.waited.length === 0 ? undefined : await resumedFrom(this.waited, await this.key);
      const { abortSignal: signal } = this.settings;
      const onAbort = this.streams ? "stop" : "tell";
      this.#run = this.runs.begin({
        signal,
        onAbort,
        agent: this.agent,
        runId: resumed?.runId,
        durable: resumed?.durable,
      });
      const { model, headers } = this.settings;
      serveAsk(this.#run, this.stack, () => ({ model: resolveModel(model), headers }));
      const request = { messages: this.history.messages, ...this.#resume() };
      let notified = false;
      const opening: CallCore<"agent"> = (invocation) => {
        this.#call = invocation.call;
        this.#failure = undefined;
        const admits = (tool: string): boolean =>
          this.stack.has.approval && this.settings.tools?.[tool]?.execute !== undefined;
        if (!notified) notifyOfResumption(this.waited, resumed, this.run, invocation.call, admits);
        notified = true;
        this.#open({ request: invocation.request });
        return core(invocation);
      };
      const outcome = await this.stack.call("agent", this.#run, request, opening, this.runs.callAround(this.#run));
      this.#open({ answered: outcome });
      return outcome;
    } catch (error) {
      this.#refused ??= { error };
      this.#notifyOpened?.();
      await this.#run?.end();
      throw error;
    }
  }

  /** Stores the error of a layer that ended the whole run inside a tool. The framework would continue after it. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** True if a layer has ended the run with a reply, which replaces the model's next answer. */
  get endsWithReply(): boolean {
    return this.#reply !== undefined;
  }

  /**
   * Returns the reply of a layer that ended the run, and marks it as delivered. Returns `undefined` if no layer did.
   */
  takeReply(): Reply | undefined {
    const reply = this.#reply;
    if (reply === undefined) return undefined;
    this.run.terminated(this.#failure?.error);
    this.#failure = undefined;
    return reply;
  }

  get #reply(): Reply | undefined {
    const error = this.#failure?.error;
    return MiddlewareTermination.is(error) ? error.reply : undefined;
  }

  /** Throws the error that ended the run, if there is one. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Returns the pending calls with the time of their handoff. Notifies plugins if one of them was not reported before.
   */
  suspend(invocation: Pick<Invocation<"agent">, "call">, pending: readonly Pending[]): readonly Pending[] {
    const all = pending.map((each) => this.handedOut.get(each.part.id) ?? { ...each, handedOutAt: Date.now() });
    if (pending.some(({ part }) => !this.handedOut.has(part.id))) {
      this.run.notify({ type: "suspension", call: invocation.call, pending: all });
    }
    return all;
  }

  #resume(): Pick<AgentRequest, "resume"> {
    if (this.waited.length === 0) return {};
    const resume = this.waited.flatMap(({ result }): readonly Part[] => (result === undefined ? [] : [result]));
    return { resume };
  }
}
