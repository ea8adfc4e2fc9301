import { type Invocation, type Pending, type Settlement, type ToolCallPart, toolCall } from "@suite/core";
import type { CallCore, PluginStack, Run } from "@suite/core/adapter";
import { AgentError } from "../errors.js";
import { abortable } from "./abortable.js";
import { decisionsKey } from "./decisions-key.js";
import { innerAgentOf, runInner } from "./inner.js";
import { check, explain } from "./schema.js";
import { type AgentTool, asksPerson } from "./tool.js";

/** What a person answers to a request for approval: `true`, or with edited arguments; `false`, or with a message for the model. */
export type Approval =
  | boolean
  | { readonly approve: true; readonly arguments?: unknown; readonly by?: string }
  | { readonly approve: false; readonly message?: string; readonly by?: string };

/** What one run's tools share. */
export interface ToolContext {
  readonly run: Run;
  readonly stack: PluginStack;
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Asks a person who is there now; undefined suspends the run. */
  readonly onHumanInput: ((question: string, about: ToolCallPart) => unknown) | undefined;
}

/** The innermost part of a tool call: checks the input, asks a person where that is due, runs the tool. */
export function executeTool(context: ToolContext): CallCore<"tool"> {
  return async (invocation) => {
    const { id, input } = invocation.request;
    const tool: AgentTool = invocation.request.tool;
    if (!context.tools.has(tool.name)) {
      const names = [...context.tools.keys()];
      throw new AgentError(
        "ERR_TOOL_UNKNOWN",
        `There is no tool named ${JSON.stringify(tool.name.slice(0, 64))}. Tools: ${names.join(", ") || "none"}.`,
      );
    }
    const value = await checked(tool, input);
    if (asksPerson(tool)) return ask(context, invocation, "input", questionOf(value));
    const allowed = await approved(context, invocation, tool, value);
    if (allowed === undefined) return;
    const agent = innerAgentOf(tool);
    if (agent !== undefined) return runInner(agent, invocation, allowed.input);
    if (tool.execute === undefined) {
      const part = toolCall(id, tool.name, input);
      return invocation.respond({ suspended: [{ reason: "external", part }] });
    }
    const { signal } = context.run;
    const done = await abortable(
      Promise.resolve(tool.execute(allowed.input, invocation.runtime, invocation.call)),
      signal,
    );
    invocation.respond(isAsyncIterable(done) ? { stream: done } : { value: done });
  };
}

async function checked(tool: AgentTool, input: unknown): Promise<unknown> {
  if (tool.input === undefined) return input;
  const result = await check(tool.input, input);
  if ("value" in result) return result.value;
  throw new AgentError(
    "ERR_TOOL_INPUT",
    `The arguments of ${tool.name} do not fit its schema. ${explain(result.issues)}`,
  );
}

/** The input that may run, or undefined where the call now waits for a person. */
async function approved(
  context: ToolContext,
  invocation: Invocation<"tool">,
  tool: AgentTool,
  value: unknown,
): Promise<{ readonly input: unknown } | undefined> {
  const { run } = context;
  const { id, input } = invocation.request;
  if (run.get(decisionsKey).get(id)?.type === "approve") return { input: value };
  const { needsApproval } = tool;
  const due = typeof needsApproval === "function" ? await needsApproval(value, run) : needsApproval === true;
  if (!due) return { input: value };
  const part = toolCall(id, tool.name, input);
  const settlement = await askPerson(
    context,
    invocation,
    "approval",
    `May ${tool.name} run with these arguments?`,
    part,
  );
  if (settlement.status === "suspended") {
    invocation.respond({ suspended: settlement.pending });
    return undefined;
  }
  const answer = approvalOf(finalOf(settlement));
  const by = answer.by === undefined ? {} : { by: answer.by };
  const about = { call: invocation.call, toolCallId: id, toolName: tool.name, ...by };
  if (!answer.approve) {
    run.notify({ type: "approval", decision: "rejected", ...about });
    throw rejected(tool.name, answer.message);
  }
  const edited = answer.arguments !== undefined;
  run.notify({ type: "approval", decision: edited ? "edited" : "approved", ...about });
  if (!edited) return { input: value };
  const changed = await checked(tool, answer.arguments);
  invocation.request = { ...invocation.request, input: answer.arguments };
  return { input: changed };
}

/** Answers the call with what a person says. */
async function ask(
  context: ToolContext,
  invocation: Invocation<"tool">,
  reason: Pending["reason"],
  question: string,
): Promise<void> {
  const { id, tool, input } = invocation.request;
  const settlement = await askPerson(context, invocation, reason, question, toolCall(id, tool.name, input));
  if (settlement.status === "suspended") invocation.respond({ suspended: settlement.pending });
  else invocation.respond({ value: finalOf(settlement) });
}

/** One request to a person, through the `humanInput` layers, which may answer in the person's place. */
async function askPerson(
  { run, stack, onHumanInput }: ToolContext,
  { call }: Invocation<"tool">,
  reason: Pending["reason"],
  question: string,
  about: ToolCallPart,
): Promise<Settlement<unknown>> {
  const outcome = await stack.call(
    "humanInput",
    run,
    { question, about },
    async (invocation) => {
      const answered = await abortable(Promise.resolve(onHumanInput?.(invocation.request.question, about)), run.signal);
      if (answered !== undefined) invocation.respond({ value: answered });
      else invocation.respond({ suspended: [{ reason, part: about, question: invocation.request.question }] });
    },
    call,
  );
  await outcome.final().catch(() => {}); // told by the settlement
  return outcome.settled;
}

function finalOf(settlement: Settlement<unknown>): unknown {
  if (settlement.status === "completed") return settlement.final;
  throw settlement.status === "failed" ? settlement.error : (settlement as { reason: unknown }).reason;
}

function approvalOf(answer: unknown): { approve: boolean; arguments?: unknown; message?: string; by?: string } {
  if (typeof answer === "object" && answer !== null && "approve" in answer && typeof answer.approve === "boolean") {
    return answer as { approve: boolean };
  }
  return { approve: answer === true };
}

/** The complaint that a refused call gives to the model. */
export const rejected = (name: string, message: string | undefined): AgentError =>
  new AgentError(
    "ERR_TOOL_REJECTED",
    `A person refused this call of ${name}; it was not run.${message === undefined ? "" : ` They say: ${message}`}`,
  );

const questionOf = (value: unknown): string => {
  const question = typeof value === "object" && value !== null && "question" in value ? value.question : undefined;
  return typeof question === "string" ? question : "";
};

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
