import { Command, isGraphInterrupt, isInterrupted } from "@langchain/langgraph";
import {
  type CallId,
  type Delta,
  type Invocation,
  type Outcome,
  type Pending,
  type Reply,
  redactorOf,
  type Suspended,
  toolCallsOf,
} from "@suite/core";
import type { Run } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import { tellUsage } from "@suite/core/framework";
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

/** The next step of a graph that stopped: a command to go on with, or what it waits for. */
export type Stop = { readonly command: Command } | { readonly pending: readonly Pending[] };

/** One call of an agent: its run, and what LangGraph needs to go on where an earlier one was suspended. */
export class AgentCall {
  readonly #runs: FrameworkRuns;
  readonly input: AgentInput;
  readonly #resumption: Resumption | undefined;
  /** The call that this agent is a tool in. */
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

  /** A call with its run begun, or the one that waits going on. End it whatever happens. */
  static begin(
    runs: FrameworkRuns,
    agent: Agent,
    given: unknown,
    config: AgentConfig | undefined,
  ): AgentCall | Promise<AgentCall> {
    const input = new AgentInput(given);
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

  /** The call where no layer leads into it. */
  get id(): CallId {
    this.#id ??= this.run.identify("agent", this.#parent);
    return this.#id;
  }

  /** Runs a body in the agent's run where no layer leads into it: what is called there finds the run, if there is something to find. */
  inside<T>(body: () => T): T {
    const { run } = this;
    if (run.ambient === undefined || !run.carries) return body();
    return run.ambient.run({ runtime: run, call: this.id }, body);
  }

  /** The graph's input where no layer leads into it. */
  get givenDirectly(): unknown {
    return this.#resumption === undefined ? this.input.given : this.#resumed(this.#resumption, this.id);
  }

  /** The call of `agent`. */
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

  /** The graph's input, after the layers. */
  async given({ request, call }: Invocation<"agent">): Promise<unknown> {
    const resumption = this.#resumption;
    if (resumption !== undefined) return this.#resumed(resumption, call);
    return this.input.with(request.messages, redactorOf(this.run));
  }

  #resumed(resumption: Resumption, call: CallId): Promise<Command> {
    this.run.notify({ type: "resume", call, pending: resumption.pending });
    return resumption.through(this.#runs.stack, { run: this.run, call });
  }

  /** A stop of the graph, where it waits: by the state that it ended in, or else by what is kept of it. */
  async stopped(call: CallId, state?: unknown): Promise<Stop | undefined> {
    const known = isInterrupted<unknown>(state) ? (state.__interrupt__ as readonly Interrupt[]) : undefined;
    const plain = typeof state === "object" && state !== null && !Array.isArray(state);
    if (plain && known === undefined) return undefined;
    const snapshot = await snapshotOf(this.agent, this.config);
    return this.waits(call, known ?? interruptsIn(snapshot), snapshot);
  }

  /** The stop for a list of interrupts: what they wait for; or, where layers answered all of them, how to go on at once. */
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
      const asked = waiting.get(one.id ?? "");
      return asked !== undefined && asked.length > 0 ? asked : questionsOf(one, calls).map(pendingOf);
    });
    this.run.notify({ type: "suspension", call, pending });
    return { pending };
  }

  /** An agent that is a tool of another is interrupted with that. */
  interruptedBy(call: CallId, error: unknown): Suspended | undefined {
    if (!isGraphInterrupt(error)) return undefined;
    const stop = this.waits(call, error.interrupts);
    return { suspended: stop !== undefined && "pending" in stop ? stop.pending : [] };
  }

  /** Returns a value of the graph with the answers in it as the user may read them. */
  revealed<T>(value: T): Promise<T> {
    return revealed(this.#runs, this.run, value);
  }

  /** True if answers that the graph keeps are not what the user may read. */
  get reveals(): boolean {
    return this.#runs.stack.reveals;
  }

  /** Ends the run, after the answer has settled. */
  async end(suspended: boolean): Promise<void> {
    if (suspended) await saveRun(this.agent, this.config, this.run);
    await this.run.end();
  }
}

const callsIn = (snapshot: Snapshot | undefined) => {
  const last = snapshot?.values.messages?.findLast((message) => message.type === "ai");
  return last === undefined ? [] : toolCallsOf(toMessage(last));
};
