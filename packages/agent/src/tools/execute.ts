import { type Invocation, toolCall } from "@suite/core";
import type { Answer, CallCore } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { abortable, settlementOf } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import { canonical } from "@suite/kit/digest";
import { isTimeoutError } from "@suite/kit/errors";
import { AgentError } from "../errors.js";
import type { AgentParts } from "../parts.js";
import { copyOf, isError } from "../pending/json.js";
import { ledgerOf } from "../totals/ledger.js";
import { type Allowed, Consent } from "./consent.js";
import type { ApprovedCall, ToolContext } from "./context.js";
import { stackOf } from "./context.js";
import { agentOf, heldBy, reportsProgress, seenBy } from "./inner.js";
import { progressThen } from "./inner-progress.js";
import { checked } from "./input.js";
import { memoOf } from "./memo.js";
import { ask, questionOf } from "./person.js";
import { withReturn } from "./progress.js";
import { remember } from "./remember.js";
import { type Progress, runInner } from "./run-inner.js";
import { search } from "./search.js";
import { CallSteps } from "./steps.js";
import { TimeLimit } from "./time-limit.js";
import { type AgentTool, asksPerson } from "./tool.js";

/**
 * Creates the core of a tool call, which counts the call unless it waits.
 *
 * @param call the call in the history. A person's decision refers to its id, even if a layer changes the request.
 */
export const executeTool = (context: ToolContext, call: ToolCallPart): CallCore<"tool"> => {
  const execution = new Execution(context, call);
  return (invocation) => execution.run(invocation);
};

/** The execution of one tool call, in as many attempts as layers make. */
class Execution {
  readonly #context: ToolContext;
  readonly #call: ToolCallPart;
  readonly #consent: Consent;
  /** The call of another tool that a person chose instead of this one. */
  #other: { readonly text: string; readonly core: CallCore<"tool"> } | undefined;

  constructor(context: ToolContext, call: ToolCallPart) {
    this.#context = context;
    this.#call = call;
    this.#consent = new Consent(context, call);
  }

  async run(invocation: Invocation<"tool">): Promise<void> {
    const ledger = ledgerOf(this.#context.run);
    ledger.toolCalls++;
    const uncounted = (): void => void ledger.toolCalls--;
    const answer = await this.#answer(invocation, uncounted);
    if ("suspended" in answer) uncounted();
    invocation.respond(answer);
  }

  /** Checks the input, asks a person if approval is needed, and runs the tool. */
  async #answer(invocation: Invocation<"tool">, uncounted: () => void): Promise<Answer<"tool">> {
    const context = this.#context;
    const { id } = this.#call;
    const tool: AgentTool = invocation.request.tool;
    checkOffered(context, tool);
    const memo = memoOf(context.run, id);
    const original = copyOf(invocation.request.input); // a retry, the history and the approval use the original
    const goesOn = memo?.goesOn(tool, original) === true;
    const input = goesOn ? copyOf(memo.input) : original;
    const value = await checked(tool, input);
    if (asksPerson(tool)) return ask(context, invocation, questionOf(value));
    const agent = agentOf(tool);
    if (agent !== undefined && heldBy(context.run, id) !== undefined) {
      return this.#runAgent(invocation, tool, agent, value, uncounted); // it was approved when it started
    }
    if (goesOn) invocation.request = { ...invocation.request, input }; // it was also approved when it started
    const allowed: Allowed = goesOn ? { input, value } : await this.#consent.for(invocation, tool, input, value);
    if ("suspended" in allowed) return allowed;
    if ("response" in allowed) return { value: allowed.response };
    if ("other" in allowed) {
      uncounted(); // the other call counts itself
      return this.#runOther(invocation, allowed.other, allowed.input, allowed.shown);
    }
    if (agent !== undefined) return this.#runAgent(invocation, tool, agent, allowed.value, uncounted);
    if (tool.execute === undefined) {
      return { suspended: [{ reason: "external", part: toolCall(id, tool.name, allowed.input) }] };
    }
    return this.#execute(invocation, tool, allowed, uncounted);
  }

  /** Runs an inner agent. A time limit stops its run and waits for the end, so that its state is not lost. */
  async #runAgent(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    agent: AgentParts,
    value: unknown,
    uncounted: () => void,
  ): Promise<Answer<"tool">> {
    const limit = limitOf(invocation, tool, tool.timeout);
    const run = (progress?: Progress) => {
      const seen = seenBy(tool, invocation.request.history);
      const running = runInner(agent, this.#context, invocation, this.#call.id, value, seen, progress);
      return limit?.watching(running) ?? running;
    };
    if (!this.#context.streaming || !reportsProgress(tool)) return run();
    const stream = progressThen(async (report, leaveSignal) => {
      const answer = await run({ report, leaveSignal });
      if ("suspended" in answer) uncounted();
      return answer;
    });
    return { stream };
  }

  async #execute(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    { input, value }: { readonly input: unknown; readonly value: unknown },
    uncounted: () => void,
  ): Promise<Answer<"tool">> {
    const { batch, run, toolTimeout } = this.#context;
    const { id } = this.#call;
    const limit = limitOf(invocation, tool, tool.timeout ?? toolTimeout);
    const steps = new CallSteps(this.#context, invocation, id, input, limit);
    const ended = async (well: boolean): Promise<Suspended | undefined> => {
      const waits = await steps.end(well);
      if (waits !== undefined) batch.begun.delete(id); // its steps are remembered, so it may start again
      return waits;
    };
    try {
      batch.begun.add(id);
      const { runtime, call } = invocation;
      const { retrieval, memory } = tool;
      let working: unknown;
      if (memory !== undefined) working = remember(this.#context, tool, memory, value, invocation, steps);
      else if (retrieval !== undefined) working = search(this.#context, tool, value, invocation, steps);
      else working = tool.execute?.(value, runtime, call, steps);
      const settled = Promise.resolve(working);
      const done = await abortable(limit?.within(settled) ?? settled, run.signal);
      if (isError(done)) throw done; // some tools return errors instead of throwing them
      if (!isAsyncIterable(done)) return (await ended(true)) ?? { value: done };
      const stream = withReturn(done, limit, async (well) => {
        const waits = await ended(well);
        if (waits !== undefined) uncounted();
        return waits;
      });
      return { stream };
    } catch (error) {
      if (run.signal.aborted) throw error;
      const waits = await ended(false);
      if (waits !== undefined) return waits;
      // A tool that timed out may have done its work, so the approval does not cover another attempt.
      const stopped = limit?.passed !== undefined || invocation.signal.aborted || isTimeoutError(error);
      if (!stopped) this.#consent.giveBack();
      throw error;
    }
  }

  /**
   * Calls the tool that a person chose instead of this one. The call runs inside this one, through all layers, so that
   * guards see it.
   */
  async #runOther(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    input: unknown,
    shownCall: ApprovedCall["shown"],
  ): Promise<Answer<"tool">> {
    const context = this.#context;
    const text = canonical([tool.name, input]);
    if (this.#other?.text !== text) {
      const call = toolCall(this.#call.id, tool.name, input);
      context.batch.approved.set(call.id, { name: tool.name, arguments: input, shown: shownCall });
      this.#other = { text, core: executeTool(context, call) };
    }
    const request = { ...invocation.request, tool, input: copyOf(input) };
    try {
      const stack = stackOf(tool, context.stack);
      const outcome = await stack.call("tool", context.run, request, this.#other.core, invocation.call);
      if (outcome.streaming) return { stream: outcome };
      const settlement = await settlementOf(outcome);
      if (settlement.status === "suspended") return { suspended: settlement.pending };
      return { value: await outcome.final(), ...(outcome.isError === true && { isError: true }) };
    } catch (error) {
      this.#consent.giveBack(); // the other call keeps track of whether its tool has run
      throw error;
    }
  }
}

const limitOf = (
  invocation: Invocation<"tool">,
  { name }: AgentTool,
  milliseconds: number | undefined,
): TimeLimit | undefined =>
  milliseconds === undefined ? undefined : new TimeLimit(name, milliseconds, (error) => invocation.giveUp(error));

/** @throws AgentError `ERR_AGENT_TOOL_UNKNOWN` */
function checkOffered({ tools, withheld }: ToolContext, { name }: AgentTool): void {
  if (tools.has(name) && !withheld.has(name)) return;
  const names = [...tools.keys()].filter((each) => !withheld.has(each));
  throw new AgentError(
    "ERR_AGENT_TOOL_UNKNOWN",
    `There is no tool named ${JSON.stringify(name.slice(0, 64))}. Tools: ${names.join(", ") || "none"}.`,
  );
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
