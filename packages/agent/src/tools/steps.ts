import { type Awaitable, type Invocation, toolCall } from "@suite/core";
import type { Suspended, ToolSteps } from "@suite/core/contract";
import { abortable } from "@suite/core/framework";
import { AgentError } from "../errors.js";
import { displayArguments, jsonCopy } from "../pending/json.js";
import type { ToolContext } from "./context.js";
import { type Memo, openMemo, type StepResult } from "./memo.js";
import { askPerson, finalOf } from "./person.js";
import type { TimeLimit } from "./time-limit.js";

/**
 * The steps of one execution of a tool. Their results are stored in the memo of the call, which the first step creates.
 */
export class CallSteps implements ToolSteps {
  /** The question that the call waits for, if no person was present to answer it. */
  waits: Suspended | undefined;
  #memo: Memo | undefined;
  /** The number of times each question was asked, because the same question may be asked again. */
  #timesAsked: Map<string, number> | undefined;
  /** The last question. A person is asked one question at a time. */
  #last: Promise<unknown> | undefined;
  #over = false;

  /**
   * @param id the id of the call in the history.
   * @param input the input that the tool runs with.
   */
  constructor(
    readonly context: ToolContext,
    readonly invocation: Invocation<"tool">,
    readonly id: string,
    readonly input: unknown,
    readonly limit: TimeLimit | undefined,
  ) {}

  async ask(question: string): Promise<unknown> {
    this.#check();
    if (typeof question !== "string" || question === "") {
      throw new AgentError("ERR_AGENT_TOOL_STEP", "steps.ask() takes a question, as a string.");
    }
    this.#timesAsked ??= new Map();
    const times = (this.#timesAsked.get(question) ?? 0) + 1;
    this.#timesAsked.set(question, times);
    const before = this.#last;
    const pending = this.#answer(question, `${times} ${question}`, before);
    this.#last = pending;
    return pending;
  }

  async once<T>(name: string, step: () => Awaitable<T>): Promise<T> {
    this.#check();
    const memo = this.#open();
    let result = memo.done.get(name);
    if (result === undefined) {
      let running = memo.running.get(name);
      if (running === undefined) {
        running = doOnce(memo, name, step);
        memo.running.set(name, running);
      }
      result = await running;
    }
    if ("value" in result) return structuredClone(result.value) as T;
    throw new AgentError(
      "ERR_AGENT_TOOL_STEP",
      `The step ${JSON.stringify(name.slice(0, 64))} ran, but its result is not JSON, so it could not be stored. Return JSON from the step.`,
    );
  }

  /**
   * Ends the execution. Returns the suspension if the call waits. In this case running steps are awaited first: a step
   * whose result is not stored would be done again.
   *
   * @param well true if the tool returned a result.
   */
  async end(well: boolean): Promise<Suspended | undefined> {
    this.#over = true;
    const { waits } = this;
    const memo = this.#memo;
    if (memo === undefined) return undefined;
    if (waits !== undefined) await abortable(Promise.allSettled(memo.running.values()), this.context.run.signal);
    else if (well) memo.end();
    return waits;
  }

  async #answer(question: string, key: string, before: Promise<unknown> | undefined): Promise<unknown> {
    if (before !== undefined) await before.catch(() => {}); // reported to its caller
    this.#check();
    const memo = this.#open();
    if (!memo.answers.has(key)) {
      const { id, tool } = this.invocation.request;
      const part = toolCall(id, tool.name, displayArguments(this.input));
      const request = { reason: "input", question, about: part } as const;
      const pending = askPerson(this.context, this.invocation, request);
      const { settlement } = await (this.limit?.pausing(pending) ?? pending);
      this.#check();
      if (settlement.status === "suspended") {
        memo.asking = key;
        this.waits = { suspended: settlement.pending };
        this.#check();
      }
      const copy = jsonCopy(finalOf(settlement));
      if (copy === undefined)
        throw new AgentError("ERR_AGENT_TOOL_STEP", "The answer to a tool's question is not JSON.");
      memo.answers.set(key, copy.value);
    }
    return structuredClone(memo.answers.get(key));
  }

  #open(): Memo {
    const { context, invocation, id, input } = this;
    this.#memo ??= openMemo(context.run, id, invocation.request.tool.name, displayArguments(input));
    return this.#memo;
  }

  #check(): void {
    if (this.waits !== undefined) {
      throw new AgentError(
        "ERR_AGENT_TOOL_WAITS",
        "The tool asked a person, so the run is suspended. Do not catch this error. The tool runs again with the answer.",
      );
    }
    const { signal } = this.invocation; // aborted by a timeout or a faster attempt
    if (signal.aborted) throw signal.reason;
    if (this.#over)
      throw new AgentError("ERR_AGENT_TOOL_STEP", "The tool has ended: it can no longer ask questions or start steps.");
  }
}

async function doOnce(memo: Memo, name: string, step: () => unknown): Promise<StepResult> {
  try {
    const copy = jsonCopy(await step());
    const result: StepResult = copy ?? { unkept: true };
    memo.done.set(name, result);
    return result;
  } finally {
    memo.running.delete(name);
  }
}
