import {
  type AIMessageChunk,
  type BaseMessage,
  isAIMessage,
  isAIMessageChunk,
  ToolMessage,
} from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type Attempt,
  answering,
  type ContractTool,
  type Decision,
  Leg,
  type ModelServer,
  type Observed,
  type PendingCall,
  type Subject,
} from "@suite/testkit";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { embed, search } from "./documents-subject.js";
import { approving, chatModel, partsIn } from "./support.js";

interface Interrupt {
  readonly id: string;
  readonly value: {
    readonly type?: string;
    readonly toolCall?: { readonly id: string; readonly name: string; readonly args: unknown };
    readonly actionRequests?: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  };
}

interface State {
  readonly messages: BaseMessage[];
  readonly structuredResponse?: unknown;
  readonly __interrupt__?: readonly Interrupt[];
}

type Agent = ReturnType<typeof langchain.createAgent>;

/** LangChain with the adapter, as the contract tests see it. Streams are read in the modes `messages` and `values`. */
export function langchainSubject(server: () => ModelServer): Subject {
  return {
    offers: new Set([
      ...([
        "model",
        "stream",
        "parts",
        "tools",
        "tool-files",
        "tool-failures",
        "reply-from-tools",
        "tool-context",
        "error-identity",
        "provider-errors",
        "abort",
        "abandon-tools",
        "system-prompt",
        "structured-output",
        "agent-reads",
      ] as const),
      ...([
        "approval",
        "approval-edit",
        "external-tools",
        "sub-agents",
        "usage",
        "ask",
        "embeddings",
        "retrieval",
        "memory",
        "ids",
      ] as const),
    ]),
    lacks: {
      "agent-streams": "the stream of a graph also contains its states, which come from the graph itself",
    },
    hooks: withPlugins.serves,
    embed: (attempt) => embed(server(), attempt),
    search,
    async run(attempt) {
      const agent = agentOf(attempt, answering(server(), attempt), attempt.tools, {
        checkpointer: new MemorySaver(),
        ...(attempt.systemPrompt !== undefined && { systemPrompt: attempt.systemPrompt }),
        ...(attempt.outputSchema && { responseFormat: attempt.outputSchema }),
      });
      return leg(agent, attempt, server(), { messages: [{ role: "user", content: attempt.input }] });
    },
  };
}

function agentOf(attempt: Attempt, server: ModelServer, tools: readonly ContractTool[], more: object): Agent {
  const { createAgent } = withPlugins(langchain, [...attempt.plugins], { run: attempt.run });
  const approved = tools.filter(({ needsApproval }) => needsApproval === true).map(({ name }) => [name, true] as const);
  const middleware = approved.length === 0 ? [] : [approving(Object.fromEntries(approved))];
  return createAgent({
    model: chatModel(server),
    tools: tools.map((one) => toolOf(one, attempt, server)),
    middleware,
    ...more,
  }) as Agent;
}

function toolOf(
  { name, description, parameters, execute, agent }: ContractTool,
  attempt: Attempt,
  server: ModelServer,
) {
  const fields = { name, description, schema: parameters as never };
  if (agent !== undefined) {
    const sub = agentOf(attempt, server, agent.tools, { name: agent.name });
    return langchain.tool(async (input: unknown) => {
      const { messages } = await sub.invoke({
        messages: [{ role: "user", content: (input as { prompt: string }).prompt }],
      });
      return messages.at(-1)?.text;
    }, fields);
  }
  return execute === undefined
    ? langchain.tool(fields)
    : langchain.tool(async (input: unknown) => execute(input), fields);
}

/** Runs an agent from a start, or a resume, to an end, or the next suspension. */
async function leg(agent: Agent, attempt: Attempt, server: ModelServer, input: unknown): Promise<Observed> {
  const watched = new Leg(server, attempt);
  const config = { configurable: { thread_id: "t" }, ...(attempt.signal && { signal: attempt.signal }) };
  let state: State | undefined;
  let error: unknown;
  try {
    if (attempt.stream) state = await streamed(agent, input as never, config, watched);
    else state = (await agent.invoke(input as never, config)) as unknown as State;
  } catch (caught) {
    error = caught;
  }
  const last = state?.messages.at(-1);
  const interrupts = state?.__interrupt__ ?? [];
  const pending = interrupts.flatMap((interrupt) => pendingOf(interrupt, last));
  return {
    ...watched.seen,
    ...(error !== undefined && { error }),
    ...(last !== undefined && pending.length === 0 && { text: last.text }),
    failedCalls: (state?.messages ?? []).flatMap((message) => (isFailure(message) ? [message.tool_call_id] : [])),
    ...(state?.structuredResponse !== undefined && { output: state.structuredResponse }),
    ...(pending.length > 0 && {
      pending,
      resume: (decisions) => leg(agent, attempt, server, new Command({ resume: resumeOf(interrupts, decisions) })),
    }),
  };
}

async function streamed(agent: Agent, input: never, config: object, watched: Leg): Promise<State | undefined> {
  let state: State | undefined;
  for await (const chunk of await agent.stream(input, { ...config, streamMode: ["messages", "values"] })) {
    const [mode, value] = chunk as ["messages", [AIMessageChunk, object]] | ["values", State];
    if (mode === "values") {
      const interrupts = [...(state?.__interrupt__ ?? []), ...(value.__interrupt__ ?? [])];
      state = { ...state, ...value, ...(interrupts.length > 0 && { __interrupt__: interrupts }) };
      continue;
    }
    if (isAIMessageChunk(value[0])) watched.parts.push(...partsIn(value[0]));
    if (isAIMessage(value[0]) && value[0].text !== "") {
      if (!watched.read(value[0].text)) break;
    }
  }
  return state;
}

const isFailure = (message: BaseMessage): message is ToolMessage =>
  ToolMessage.isInstance(message) && message.status === "error";

function pendingOf({ id, value }: Interrupt, last: BaseMessage | undefined): readonly PendingCall[] {
  if (value.toolCall !== undefined) {
    const { id: of, name, args } = value.toolCall;
    return [{ id: of, name, arguments: args, reason: "external" }];
  }
  const calls = last !== undefined && isAIMessage(last) ? (last.tool_calls ?? []) : [];
  return (value.actionRequests ?? []).map(({ name, args }) => ({
    id: calls.find((call) => call.name === name)?.id ?? id,
    name,
    arguments: args,
    reason: "approval",
  }));
}

function resumeOf(interrupts: readonly Interrupt[], decisions: readonly Decision[]): Record<string, unknown> {
  return Object.fromEntries(
    interrupts.map(({ id, value }) => {
      const own = decisions.find((decision) => decision.id === value.toolCall?.id);
      if (own?.type === "result") return [id, own.response];
      const [action] = value.actionRequests ?? [];
      return [id, { decisions: decisions.map((decision) => decisionOf(decision, action?.name ?? "")) }];
    }),
  );
}

function decisionOf(decision: Decision, name: string) {
  if (decision.type === "edit") return { type: "edit", editedAction: { name, args: decision.arguments } };
  return decision.type === "reject" ? { type: "reject", message: decision.message } : { type: "approve" };
}
