import { type CallId, type Delta, type Invocation, type Kind, type Message, type Tool, toolCallsOf } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import type { Pending, Suspended } from "@suite/core/contract";
import type { ToolCallPart } from "@suite/core/messages";
import type { Attempt, ContractTool, Decision } from "@suite/testkit";
import type OpenAI from "openai";
import type { Bug } from "./bugs.js";
import { completion, stream } from "./openai-model.js";

/** The state that a suspended run needs in order to go on. */
export interface LoopState {
  readonly messages: Message[];
  readonly results: Record<string, { response: unknown; isError?: boolean }>;
  readonly decisions: Record<string, Decision>;
}

export interface LoopOptions {
  readonly stack: PluginStack;
  readonly client: OpenAI;
  readonly attempt: Attempt;
  readonly bugs: ReadonlySet<Bug>;
}

/** The smallest agent that offers everything: rounds of model and tools, each call through the stack. */
class Loop {
  constructor(
    readonly options: LoopOptions,
    readonly run: Run,
    readonly tools: readonly ContractTool[],
    readonly state: LoopState,
  ) {}

  async *reply(agent: CallId): AsyncGenerator<Delta, Suspended | void> {
    for (let round = 0; ; round++) {
      const pending = await this.#tools(agent);
      if (pending.length > 0) return { suspended: pending };
      const outcome = await this.#reasoning(agent);
      try {
        for await (const delta of outcome) {
          if (delta.type === "finish") yield delta;
          else if (delta.type === "part" && delta.part.type === "text") yield { ...delta, at: `${round}-${delta.at}` };
        }
      } finally {
        await outcome.settled; // An abort reaches the reader before it has settled what is read.
      }
      const { message } = await outcome.final();
      this.state.messages.push(message);
      if (!message.parts.some((part) => part.type === "tool_call")) return;
    }
  }

  #reasoning(agent: CallId) {
    const { stack, client, attempt, bugs } = this.options;
    const parent = bugs.has("calls without parents") ? undefined : agent;
    const offered: readonly Tool[] = this.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }));
    const request = { messages: [...this.state.messages], tools: offered };
    return stack.call(
      "reasoning",
      this.run,
      request,
      async (reasoning) => {
        const system = await this.#systemPrompt();
        const messages: Message[] = system ? [{ role: "system", parts: [{ type: "text", content: system }] }] : [];
        messages.push(...reasoning.request.messages);
        const modelRequest = { ...reasoning.request, messages, model: "m", stream: attempt.stream };
        const outcome = await stack.call(
          "model",
          this.run,
          modelRequest,
          async (model) => {
            const sent = bugs.has("the model is sent what the plugins were given") ? modelRequest : model.request;
            if (!attempt.stream || bugs.has("streams come whole")) {
              const { usage, ...reply } = await completion(client, sent, this.run.signal);
              model.respond({ value: bugs.has("usage is lost") ? reply : { ...reply, ...(usage && { usage }) } });
            } else {
              model.respond({ stream: this.#seen(stream(client, sent, this.run.signal)) });
            }
          },
          reasoning.call,
        );
        reasoning.respond({ stream: outcome });
      },
      parent,
    );
  }

  async *#seen(deltas: AsyncGenerator<Delta, void>): AsyncGenerator<Delta, void> {
    for await (const delta of deltas) {
      const text = delta.type === "part" && delta.part.type === "text" ? delta.part.content : undefined;
      if (text && this.options.bugs.has("the user reads past the plugins")) this.options.attempt.onPiece?.(text);
      yield delta;
    }
  }

  async #systemPrompt(): Promise<string> {
    const { stack, attempt, bugs } = this.options;
    const prompt = attempt.systemPrompt ?? "";
    if (bugs.has("the system prompt is assembled twice")) await stack.systemPrompt(prompt, this.run);
    return stack.systemPrompt(prompt, this.run);
  }

  /** Runs the tools that have no result yet; gives what must be waited for. */
  async #tools(agent: CallId): Promise<readonly Pending[]> {
    const { messages, results } = this.state;
    const calls = (messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === "tool_call" ? [part] : []));
    const open = calls.filter((call) => !(call.id in results));
    const pending: Pending[] = [];
    if (this.options.bugs.has("tools one after the other")) {
      for (const call of open) pending.push(...(await this.#tool(call, agent)));
    } else {
      pending.push(...(await Promise.all(open.map((call) => this.#tool(call, agent)))).flat());
    }
    if (calls.length === 0 || pending.length > 0) return pending;
    const ids = this.options.bugs.has("results in order of completion")
      ? Object.keys(results)
      : calls.map((call) => call.id);
    const parts = ids.map((id) => ({
      type: "tool_call_response" as const,
      id,
      ...results[id],
      response: results[id]?.response,
    }));
    messages.push({ role: "tool", parts });
    return [];
  }

  /** Notifies plugins of a call that a person refused while the run waited. */
  #reportDenied({ id, name, arguments: args }: ToolCallPart, response: string, agent: CallId): void {
    const about = { call: agent, toolCallId: id, toolName: name };
    const now = Date.now();
    this.run.notify({ type: "approval", decision: "rejected", ...about });
    const times = { handedOutAt: now, returnedAt: now };
    this.run.notify({ type: "external_result", outcome: "denied", arguments: args, response, ...about, ...times });
  }

  async #tool(call: ToolCallPart, agent: CallId): Promise<readonly Pending[]> {
    const { stack, bugs } = this.options;
    const tool = this.tools.find((each) => each.name === call.name);
    if (tool === undefined) throw new Error(`There is no tool ${call.name}.`);
    const decision = this.state.decisions[call.id];
    if (decision?.type === "result") return this.#answered(call, decision.response);
    if (decision?.type === "reject") {
      if (bugs.has("rejected tools run")) await tool.execute?.(call.arguments);
      this.#reportDenied(call, decision.message ?? "Denied.", agent);
      return this.#answered(call, decision.message);
    }
    if (tool.needsApproval === true && decision === undefined) return [{ reason: "approval", part: call }];
    const edited = decision?.type === "edit" && !bugs.has("approved tools run with the old arguments");
    const input = edited ? decision.arguments : call.arguments;
    const { messages } = this.state;
    const around = { batch: toolCallsOf(messages.at(-1) as Message), history: [...messages] };
    const known = bugs.has("requests of tools know nothing") ? {} : around;
    const request = { id: call.id, tool: { name: tool.name }, input, ...known };
    let raw: unknown;
    try {
      const outcome = await stack.call(
        "tool",
        this.run,
        request,
        async (invocation) => {
          if (tool.execute === undefined && tool.agent === undefined) {
            return invocation.respond({
              suspended: [{ reason: "external", part: { ...call, arguments: invocation.request.input } }],
            });
          }
          const given = bugs.has("tools are given what the model said") ? input : invocation.request.input;
          const work = async function* (this: Loop) {
            raw = tool.agent
              ? await this.#subAgent(tool.agent.tools, given, invocation.call)
              : await tool.execute?.(given);
            yield raw;
          };
          invocation.respond({ stream: work.call(this) });
          await endOf(invocation);
        },
        agent,
      );
      const settlement = await outcome.final().then(
        () => outcome.settled,
        () => outcome.settled,
      );
      if (settlement.status === "suspended") return settlement.pending;
      if (settlement.status === "failed") throw settlement.error;
      if (settlement.status === "cancelled") throw settlement.reason;
      const isError = outcome.isError === true && !bugs.has("failures are answers like any");
      return this.#answered(
        call,
        bugs.has("results go to the model past the plugins") ? raw : settlement.final,
        isError,
      );
    } catch (error) {
      if (this.run.signal.aborted || bugs.has("tool errors end the run")) throw error;
      const shown = error as Error;
      return this.#answered(call, bugs.has("stack traces for the model") ? shown.stack : shown.message);
    }
  }

  #answered(call: ToolCallPart, response: unknown, isError = false): readonly Pending[] {
    this.state.results[call.id] = { response, ...(isError && { isError }) };
    return [];
  }

  async #subAgent(tools: readonly ContractTool[], input: unknown, parent: CallId): Promise<string> {
    const { bugs } = this.options;
    const { prompt } = input as { prompt: string };
    const options = bugs.has("sub-agents without plugins")
      ? { ...this.options, stack: new PluginStack() }
      : this.options;
    const run = bugs.has("sub-agents in the same run")
      ? this.run
      : options.stack.begin({ parent: this.run, signal: this.run.signal });
    try {
      return (
        await textOf(options, run, tools, { messages: [userMessage(prompt)], results: {}, decisions: {} }, parent)
      ).text;
    } finally {
      if (run !== this.run) await run.end();
    }
  }
}

/** Waits for the end of an answer that is not streamed to the user, and throws its error. */
async function endOf(invocation: Pick<Invocation<Kind>, "ended">): Promise<void> {
  const end = await invocation.ended();
  if (end?.status === "failed") throw end.error;
  if (end?.status === "cancelled") throw end.reason;
}

export const userMessage = (content: string): Message => ({ role: "user", parts: [{ type: "text", content }] });

/** One agent call, read to its end. */
export async function textOf(
  options: LoopOptions,
  run: Run,
  tools: readonly ContractTool[],
  state: LoopState,
  parent?: CallId,
) {
  const loop = new Loop(options, run, tools, state);
  const request = { messages: [...state.messages] };
  const core = async (agent: Invocation<"agent">) => {
    agent.respond({ stream: loop.reply(agent.call) });
    if (!options.attempt.stream) await endOf(agent);
  };
  const outcome = await options.stack.call("agent", run, request, core, parent);
  const { bugs, attempt } = options;
  let text = "";
  const reader = outcome[Symbol.asyncIterator]();
  for (let step = await reader.next(); step.done !== true; step = await reader.next()) {
    const delta = step.value;
    if (delta.type !== "part" || delta.part.type !== "text") continue;
    text += delta.part.content;
    if (parent !== undefined || bugs.has("the user reads past the plugins")) continue;
    if (attempt.onPiece?.(delta.part.content) !== false) continue;
    if (bugs.has("answers that are not read on stay open"))
      return { text, settlement: { status: "cancelled" as const, reason: "" } };
    await reader.return?.();
  }
  return { text, settlement: await outcome.settled };
}
