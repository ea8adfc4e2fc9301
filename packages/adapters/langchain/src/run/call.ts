import { Command, isGraphInterrupt, isInterrupted } from "@langchain/langgraph";
import {
  type CallId,
  type Delta,
  type Invocation,
  type Outcome,
  type Reply,
  redactorOf,
  toolCallsOf,
} from "@suite/core";
import type { Run } from "@suite/core/adapter";
import type { Pending, Suspended } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { tellUsage } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { agentHooks } from "../hooks.js";
import { pendingOf } from "../human/ask.js";
import { type Interrupt, questionsOf } from "../human/question.js";
import { Resumption } from "../human/resume.js";
import { sessionOf } from "../in-run.js";
import { toMessage } from "../messages/to-neutral.js";
import { askOf } from "../model/ask.js";
import { notesKey, toolsEnded } from "../run-notes.js";
import { unwrapped } from "./errors.js";
import { AgentInput } from "./input.js";
import { revealed } from "./reveal.js";
import { interruptsIn, savedIn, saveRun, snapshotOf } from "./suspension.js";
import type { Agent, AgentConfig, Snapshot } from "./target.js";

/** The state of a graph that stopped: the command to continue with, or the calls that it waits for. */
export type Stop = { readonly command: Command } | { readonly pending: readonly Pending[] };

/** One call of an agent: its run, and the data that LangGraph needs to resume a suspended one. */
export class AgentCall {
  readonly #runs: FrameworkRuns;
  readonly input: AgentInput;
  readonly #resumption: Resumption | undefined;
  /** The outer call, if this agent is a tool. */
  readonly #parent: CallId | undefined;
  #id: CallId | undefined;

  private constructor(
    runs: FrameworkRuns,
    readonly agent: Agent,
    readonly config: AgentConfig | undefined,
    readonly run: Run,
    input: AgentInput,
    resumption: Resumption | undefined,
  ) {
    this.#runs = runs;
    this.input = input;
    this.#resumption = resumption;
    this.#parent = runs.callAround(run);
  }

  /** Begins the run of a call, or resumes the suspended one. The caller must always end it. */
  static begin(
    runs: FrameworkRuns,
    agent: Agent,
    rawInput: unknown,
    config: AgentConfig | undefined,
  ): AgentCall | Promise<AgentCall> {
    const input = new AgentInput(rawInput);
    const { command } = input;
    const begin = (snapshot?: Snapshot): AgentCall => {
      const { handedOutAt = Date.now(), ...saved } = savedIn(snapshot) ?? {};
      const resumption = command && new Resumption(command, interruptsIn(snapshot), callsIn(snapshot), handedOutAt);
      const { name, description, model } = agent.options;
      const run = runs.begin({
        ...(name !== undefined && { agent: { name, ...(description !== undefined && { description }) } }),
        ...sessionOf(config),
        ...(config?.signal && { signal: config.signal }),
        ...saved,
      });
      if (model !== undefined) run.ask = askOf(runs.stack, run, model, config?.configurable);
      if (runs.stack.hasAny(agentHooks)) {
        run.get(notesKey).ofAgent = true;
        tellUsage(run);
      }
      return new AgentCall(runs, agent, config, run, input, resumption);
    };
    return command === undefined ? begin() : snapshotOf(agent, config).then(begin);
  }

  /** The id of the call if no layer handles it. */
  get id(): CallId {
    this.#id ??= this.run.identify("agent", this.#parent);
    return this.#id;
  }

  /**
   * Runs a function in the agent's run if no layer handles the call. Code inside finds the run, if a plugin needs it.
   */
  inside<T>(body: () => T): T {
    const { run } = this;
    if (run.ambient === undefined || !run.carries) return body();
    return run.ambient.run({ runtime: run, call: this.id }, body);
  }

  /** The input of the graph if no layer handles the call. */
  get directInput(): unknown {
    return this.#resumption === undefined ? this.input.original : this.#resumed(this.#resumption, this.id);
  }

  /** Makes the `agent` call through the layers. */
  through(core: (invocation: Invocation<"agent">) => Promise<void>): Promise<Outcome<Delta, Reply>> {
    const { messages } = this.input;
    const resume = this.#resumption;
    const request = { messages, ...(resume && { resume: resume.parts }) };
    const body = async (invocation: Invocation<"agent">): Promise<void> => {
      try {
        await core(invocation);
      } catch (error) {
        if (this.run.signal.aborted) await toolsEnded(this.run);
        throw unwrapped(error);
      }
    };
    return this.#runs.stack.call("agent", this.run, request, body, this.#parent);
  }

  /** Returns the input of the graph after the layers. */
  async finalInput({ request, call }: Invocation<"agent">): Promise<unknown> {
    const resumption = this.#resumption;
    if (resumption !== undefined) return this.#resumed(resumption, call);
    return this.input.with(request.messages, redactorOf(this.run));
  }

  #resumed(resumption: Resumption, call: CallId): Promise<Command> {
    this.run.notify({ type: "resume", call, pending: resumption.pending });
    return resumption.through(this.#runs.stack, { run: this.run, call });
  }

  /** Returns the stop of the graph if it waits, from its final state, or else from its checkpoint. */
  async stopped(call: CallId, state?: unknown): Promise<Stop | undefined> {
    const known = isInterrupted<unknown>(state) ? (state.__interrupt__ as readonly Interrupt[]) : undefined;
    const isObject = isRecord(state);
    if (isObject && known === undefined) return undefined;
    const snapshot = await snapshotOf(this.agent, this.config);
    return this.waits(call, known ?? interruptsIn(snapshot), snapshot);
  }

  /**
   * Returns the stop for a list of interrupts: the calls that they wait for, or the command to continue if layers
   * answered all of them.
   */
  waits(call: CallId, interrupts: readonly Interrupt[], snapshot?: Snapshot): Stop | undefined {
    if (interrupts.length === 0) return undefined;
    const { waiting, answers } = this.run.get(notesKey);
    const ids = interrupts.map(({ id = "" }) => id);
    if (ids.every((id) => answers.has(id))) {
      const resume = Object.fromEntries(ids.map((id) => [id, answers.get(id)]));
      for (const id of ids) answers.delete(id);
      return { command: new Command({ resume }) };
    }
    const calls = callsIn(snapshot);
    const pending = interrupts.flatMap((one) => {
      const known = waiting.get(one.id ?? "");
      return known !== undefined && known.length > 0 ? known : questionsOf(one, calls).map(pendingOf);
    });
    this.run.notify({ type: "suspension", call, pending });
    return { pending };
  }

  /** Returns the suspension of an agent that is a tool and is interrupted together with the outer agent. */
  interruptedBy(call: CallId, error: unknown): Suspended | undefined {
    if (!isGraphInterrupt(error)) return undefined;
    const stop = this.waits(call, error.interrupts);
    return { suspended: stop !== undefined && "pending" in stop ? stop.pending : [] };
  }

  /** Returns a value of the graph with the values in its answers restored for the user. */
  revealed<T>(value: T): Promise<T> {
    return revealed(this.#runs, this.run, value);
  }

  /** True if the answers that the graph stores differ from those for the user. */
  get reveals(): boolean {
    return this.#runs.stack.reveals;
  }

  /** Ends the run after the answer has settled. */
  async end(suspended: boolean): Promise<void> {
    if (suspended) await saveRun(this.agent, this.config, this.run);
    await this.run.end();
  }
}

const callsIn = (snapshot: Snapshot | undefined) => {
  const last = snapshot?.values.messages?.findLast((message) => message.type === "ai");
  return last === undefined ? [] : toolCallsOf(toMessage(last));
};
