import { ToolMessage } from "@langchain/core/messages";
import { type Command, isCommand, isGraphInterrupt } from "@langchain/langgraph";
import { CoreError, type Invocation, type Outcome, type Tool, toolCall } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import type { InRun } from "@suite/core/framework";
import { type Admitted, settlementOf, ToolAdmission } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { admitted, refusedBefore } from "../human/admission.js";
import { sendQuestions } from "../human/ask.js";
import { toolMessageContent } from "../messages/content.js";
import { isFailure, toolValueOf, withFailure, withValue } from "../messages/tool-value.js";
import { notesKey } from "../run-notes.js";
import { answerOf, ToolAttempt, type Waiting } from "./attempt.js";
import { guardedTool } from "./guarded.js";
import { neutralTool } from "./neutral.js";
import { langchainTool } from "./offered.js";
import { type ToolHandler, toolRequestOf, type WrapToolRequest } from "./request.js";

export type ToolResult = ToolMessage | Command;

interface Entered {
  readonly attempt: ToolAttempt;
  readonly answered: Promise<ToolResult>;
  /** The framework's result, if the tool cannot be guarded from inside. */
  result?: ToolResult;
}

/** One tool call of LangChain, which passes through the layers. */
export class ToolCall {
  #last: Entered | undefined;
  /** The suspension of a tool that cannot be guarded from inside. */
  #waits: Waiting | undefined;
  #admission: ToolAdmission | undefined;

  constructor(
    readonly stack: PluginStack,
    readonly within: InRun,
    readonly original: WrapToolRequest,
    readonly handler: ToolHandler,
    readonly offered: readonly Tool[],
  ) {}

  async result(): Promise<ToolResult> {
    const { tools } = this.within.run.get(notesKey);
    const work = this.#result();
    tools.add(work);
    try {
      return await work;
    } finally {
      tools.delete(work);
    }
  }

  async #result(): Promise<ToolResult> {
    const { id = "", name } = this.original.toolCall;
    const frameworkTool = this.original.tool && neutralTool(this.original.tool);
    const tool = frameworkTool ?? this.#ofPlugins ?? { name, execute: absent };
    const refused = refusedBefore(this.within.run, id, name);
    if (refused !== undefined) return withFailure(this.#message(refused.value, undefined), true, id);
    const request = toolRequestOf(this.original, tool);
    let outcome: Outcome<unknown, unknown>;
    try {
      outcome = await this.stack.call("tool", this.within.run, request, (call) => this.#call(call), this.within.call);
    } catch (error) {
      await this.#giveUp(error);
      throw error;
    }
    const last = this.#last;
    if (this.#waits !== undefined) {
      return this.#message(answerOf(await settlementOf(outcome), this.#waits.error), undefined);
    }
    const result =
      last === undefined || last.result !== undefined
        ? this.#message(await outcome.final(), last?.result)
        : await this.#answered(last, outcome);
    return outcome.streaming ? result : withFailure(result, outcome.isError === true, id);
  }

  /** Returns the framework's result for the outcome of the layers. */
  async #answered({ attempt, answered }: Entered, outcome: Outcome<unknown, unknown>): Promise<ToolResult> {
    attempt.answer(outcome);
    const result = await answered;
    await outcome.settled;
    return result;
  }

  async #call(invocation: Invocation<"tool">): Promise<void> {
    if (this.#last !== undefined) await this.#giveUp(new CoreError("ERR_CANCELLED", "The call was tried again."));
    const admitted = await this.#admitted(invocation);
    if ("suspended" in admitted) return invocation.respond(admitted);
    if ("answer" in admitted) return invocation.respond(admitted.answer);
    const entry = this.#enter(invocation, admitted.input);
    this.#last = entry;
    const executed = entry.answered.then((result) => {
      entry.result = result;
      return { value: toolValueOf(result), ...(isFailure(result) && { isError: true }) };
    });
    try {
      invocation.respond(await Promise.race([entry.attempt.toolAnswer, executed]));
    } catch (error) {
      this.#waits = await this.#waiting(invocation, error);
      if (this.#waits === undefined) throw error;
      invocation.respond({ suspended: this.#waits.suspended });
    }
  }

  /** Returns the input that the tool may run with, or the calls that it waits for. */
  async #admitted(invocation: Invocation<"tool">): Promise<Admitted | Suspended> {
    const { request, call } = invocation;
    const { input } = request;
    if (!this.stack.has.approval) return { input };
    this.#admission ??= new ToolAdmission(this.stack, this.within.run);
    const { id, tool } = request;
    try {
      return await admitted(this.#admission, { id, tool, input, batch: request.batch, history: request.history, call });
    } catch (error) {
      this.#waits = await this.#waiting(invocation, error);
      if (this.#waits === undefined) throw error;
      return this.#waits;
    }
  }

  /** The plugin's tool that the model called. */
  get #ofPlugins(): Tool | undefined {
    return this.offered.find(({ name }) => name === this.original.toolCall.name);
  }

  #enter(invocation: Invocation<"tool">, input: unknown): Entered {
    const { original } = this;
    const attempt = new ToolAttempt((error) => this.#waiting(invocation, error));
    const offered = this.#ofPlugins;
    const found = original.tool ?? (offered && langchainTool(offered, this.within.run, invocation.call));
    const tool = found && (guardedTool(found, attempt) ?? found);
    const args = input === original.toolCall.args ? original.toolCall.args : isRecord(input) ? input : { input };
    const request = { ...original, toolCall: { ...original.toolCall, args }, ...(tool && { tool }) };
    const answered = Promise.resolve(this.handler(request));
    answered.catch(() => {}); // handled by the code that awaits it
    return { attempt, answered };
  }

  /**
   * Returns the suspension that an error means. An interrupt is not a failure: it is thrown again, with the questions
   * after the `humanInput` layers.
   */
  async #waiting({ request, call }: Invocation<"tool">, error: unknown): Promise<Waiting | undefined> {
    if (!isGraphInterrupt(error)) return undefined;
    const { run } = this.within;
    const part = toolCall(request.id, request.tool.name, request.input);
    const { batch, history } = request;
    const interrupt = await sendQuestions(this.stack, { run, call }, error, [part], { batch, history });
    const { waiting } = run.get(notesKey);
    return { error: interrupt, suspended: interrupt.interrupts.flatMap(({ id = "" }) => waiting.get(id) ?? []) };
  }

  /** Creates a message for a value that is not a message yet. */
  #message(value: unknown, toolResult: ToolResult | undefined): ToolResult {
    const result = toolResult === undefined ? value : withValue(toolResult, toolValueOf(toolResult), value);
    if (isResult(result)) return result;
    const { id = "", name } = this.original.toolCall;
    return new ToolMessage({ content: toolMessageContent(value), tool_call_id: id, name });
  }

  async #giveUp(error: unknown): Promise<void> {
    const last = this.#last;
    this.#last = undefined;
    last?.attempt.fail(error);
    await last?.answered.catch(() => {});
  }
}

const isResult = (value: unknown): value is ToolResult => ToolMessage.isInstance(value) || isCommand(value);

const absent = (): never => {
  throw new CoreError("ERR_NO_ANSWER", "The model asked for a tool that the agent does not have.");
};
