import {
  type AgentInfo,
  type AgentRequest,
  type CallId,
  type Delta,
  type Invocation,
  MiddlewareTermination,
  type Outcome,
  type Part,
  type Pending,
  type Reply,
} from "@suite/core";
import type { CallCore, PluginStack, Run } from "@suite/core/adapter";
import { type FrameworkRuns, ToolAdmission } from "@suite/core/framework";
import type { Settings } from "../framework.js";
import { keyOf } from "../messages/ticket.js";
import { serveAsk } from "../model/plugin-ask.js";
import { resolveModel } from "../model/resolve.js";
import { type History, historyOf, type Waited, waitedFor } from "./history.js";
import { resumedFrom, tellWhatCame } from "./resume.js";

/** An opened turn: the agent layers entered the framework, or answered in its place. */
export type Opened =
  | { readonly request: AgentRequest; readonly answered?: never }
  | { readonly answered: Outcome<Delta, Reply>; readonly request?: never };

/** A decision on a call, by a person or a layer in their place. */
export type Verdict = { readonly input: unknown } | { readonly refused: Error };

/** A layer's answer in place of an external tool. */
export type Answered = { readonly name: string } & ({ readonly value: unknown } | { readonly error: unknown });

/** One call of `generateText`, `streamText`, or an agent: a run of its own. */
export class Turn {
  readonly history: History;
  readonly waited: readonly Waited[];
  /** Decisions made here, by tool call id. */
  readonly verdicts = new Map<string, Verdict>();
  /** The arguments of calls that a layer of `humanInput` has approved in a person's place, as it was shown them, by tool call id. */
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
  /** The opened turn, once it is that: nobody need wait for it then. */
  isOpen: Opened | undefined;
  /** The error that a layer threw before the turn was opened. */
  #refused: { readonly error: unknown } | undefined;
  #opened: Promise<Opened> | undefined;
  #tellOpened: (() => void) | undefined;

  constructor(
    readonly runs: FrameworkRuns,
    readonly settings: Settings,
    readonly agent: AgentInfo | undefined,
    /** Whether the answer streams: an abort ends that at once. Otherwise it is told, and the framework takes it. */
    readonly streams: boolean,
  ) {
    this.history = historyOf(settings);
    // A result of a tool that runs here may stand at the end as well, where the framework was told to stop there.
    const runsHere = (name: string): boolean => settings.tools?.[name]?.execute !== undefined;
    this.waited = waitedFor(this.history).filter(({ name, approval }) => approval !== undefined || !runsHere(name));
  }

  /** The opened turn; rejects with what a layer threw before it entered. Made for whoever has to wait. */
  get opened(): Promise<Opened> {
    if (this.#opened === undefined) {
      this.#opened = new Promise((resolve, reject) => {
        this.#tellOpened = () => {
          if (this.isOpen !== undefined) resolve(this.isOpen);
          else if (this.#refused !== undefined) reject(this.#refused.error);
        };
        this.#tellOpened();
      });
      this.#opened.catch(() => {}); // told by whoever enters
    }
    return this.#opened;
  }
  #open(opened: Opened): void {
    if (this.#refused === undefined) this.isOpen ??= opened;
    this.#tellOpened?.();
  }
  get stack(): PluginStack {
    return this.runs.stack;
  }
  /** The key of the tickets. */
  get key(): Promise<CryptoKey> {
    this.#key ??= keyOf(this.settings.experimental_toolApprovalSecret);
    return this.#key;
  }
  get begun(): Run | undefined {
    return this.#run;
  }
  /** The run; there only after the turn was opened. */
  get run(): Run {
    return this.#run as Run;
  }
  /** The admission: what plugins say of the approval of tool calls; there only after the turn was opened. */
  get admission(): ToolAdmission {
    this.#admission ??= new ToolAdmission(this.stack, this.run);
    return this.#admission;
  }
  /** The agent call, within which everything happens. */
  get call(): CallId | undefined {
    return this.#call;
  }

  /** Takes the turn through the `agent` layers. */
  async enter(core: CallCore<"agent">): Promise<Outcome<Delta, Reply>> {
    try {
      // A turn that goes on from nothing enters at once, as it begins at once without the suite.
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
      let told = false;
      const opening: CallCore<"agent"> = (invocation) => {
        this.#call = invocation.call;
        this.#failure = undefined;
        const admits = (tool: string): boolean =>
          this.stack.has.approval && this.settings.tools?.[tool]?.execute !== undefined;
        if (!told) tellWhatCame(this.waited, resumed, this.run, invocation.call, admits);
        told = true;
        this.#open({ request: invocation.request });
        return core(invocation);
      };
      const outcome = await this.stack.call("agent", this.#run, request, opening, this.runs.callAround(this.#run));
      this.#open({ answered: outcome });
      return outcome;
    } catch (error) {
      this.#refused ??= { error };
      this.#tellOpened?.();
      await this.#run?.end();
      throw error;
    }
  }

  /** Notes the error by which a layer has ended the whole run from within a tool: the framework would go on. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Whether a layer has ended the run with a reply, which the model's next answer is to be. */
  get endsWithReply(): boolean {
    return this.#reply !== undefined;
  }

  /** The reply with which a layer has ended the run; undefined where none has. It counts as said from here on. */
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

  /** @throws what ended the run. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** The pending calls with the time of their handoff. Plugins are told of those that they have not been told of. */
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
