import {
  type AgentTool,
  approve,
  createAgent,
  defineTool,
  type Model,
  type PendingState,
  reject,
  result,
} from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import {
  type Attempt,
  answering,
  type ContractDocument,
  type ContractTool,
  type Decision,
  Leg,
  type ModelServer,
  type Observed,
  type SearchAttempt,
  type Subject,
} from "@suite/testkit";

/** A client of the model server at this address. */
export type ModelAt = (url: string) => Model;

export const openaiAt: ModelAt = (url) => openai("m", { baseURL: `${url}/v1`, apiKey: "none" });
export const openaiResponsesAt: ModelAt = (url) => openaiResponses("m", { baseURL: `${url}/v1`, apiKey: "none" });
export const anthropicAt: ModelAt = (url) => anthropic("m", { baseURL: url, apiKey: "none" });

interface Setup {
  readonly server: ModelServer;
  readonly modelAt: ModelAt;
}

/** @suite/agent as the contract tests see it, with a model that answers from a server. */
export function agentSubject(server: () => ModelServer, modelAt: ModelAt = openaiAt): Subject {
  return {
    offers: new Set([
      "model",
      "stream",
      "parts",
      "tools",
      "tool-files",
      "error-identity",
      "provider-errors",
      "abort",
      "abandon-tools",
      "agent-streams",
      "agent-reads",
      "system-prompt",
      "structured-output",
      "usage",
      "approval",
      "approval-edit",
      "external-tools",
      "sub-agents",
      "ask",
      "tool-failures",
      "reply-from-tools",
      "tool-context",
      "retrieval",
      "memory",
    ]),
    lacks: {
      embeddings: "an agent embeds nothing by itself",
      ids: "its method `run` takes them: test/values.test.ts has it",
    },
    hooks: new Set([
      "agent",
      "reasoning",
      "model",
      "tool",
      "humanInput",
      "compressContext",
      "retrieval",
      "memory",
      "systemPrompt",
      "tools",
      "observe",
    ]),
    search: (attempt) => search({ server: server(), modelAt }, attempt),
    run(attempt) {
      return leg({ server: answering(server(), attempt), modelAt }, attempt);
    },
  };
}

/** A search by a tool that declares it, which the model calls. The query is the model's own, so that no prompts are given. */
async function search(setup: Setup, { plugins, query, find }: SearchAttempt): Promise<Observed> {
  setup.server.reset();
  setup.server.script({ toolCalls: [{ name: "search", arguments: { query } }] }, { text: "Found." });
  const tool = defineTool({
    name: "search",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    retrieval: { source: "contract" },
    execute: async (input) => find((input as { query: string }).query),
  });
  const agent = createAgent({ name: "contract", model: setup.modelAt(setup.server.url), plugins, tools: [tool] });
  const done = await agent.run("Search.");
  const [told] = (done.status === "completed" ? done.messages : [])
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "tool_call_response" ? [part] : []));
  if (told === undefined || told.isError === true) return { pieces: [], prompts: [], error: told?.response };
  return { pieces: [], prompts: [], documents: told.response as readonly ContractDocument[] };
}

function agentOf(setup: Setup, attempt: Attempt, name: string, tools: readonly ContractTool[], systemPrompt?: string) {
  const outer = name === "contract";
  return createAgent({
    name,
    model: setup.modelAt(setup.server.url),
    plugins: attempt.plugins,
    tools: tools.map((tool) => toolOf(setup, attempt, tool)),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(outer && attempt.outputSchema && { outputSchema: attempt.outputSchema }),
  });
}

function toolOf(setup: Setup, attempt: Attempt, tool: ContractTool): AgentTool {
  const { name, description, parameters, execute, needsApproval, agent } = tool;
  if (agent) return agentOf(setup, attempt, agent.name, agent.tools).asTool({ name, description });
  return defineTool({
    name,
    description,
    parameters,
    ...(execute && { execute: (input: unknown) => execute(input) }),
    ...(needsApproval !== undefined && { needsApproval }),
  });
}

async function leg(
  setup: Setup,
  attempt: Attempt,
  state?: string,
  decisions: readonly Decision[] = [],
): Promise<Observed> {
  const watched = new Leg(setup.server, attempt);
  const agent = agentOf(setup, attempt, "contract", attempt.tools, attempt.systemPrompt);
  const pending: PendingState | undefined = state === undefined ? undefined : JSON.parse(state);
  const input =
    pending === undefined ? attempt.input : { pending, decisions: decisions.map((d) => toAgent(pending, d)) };
  try {
    const options: object = { ...attempt.run?.(), ...(attempt.signal && { signal: attempt.signal }) };
    const done = attempt.stream
      ? await streamed(agent.stream(input as never, options), watched)
      : await agent.run(input as never, options);
    if (done === undefined) return watched.seen;
    if (done.status === "suspended") {
      const saved = JSON.stringify(done.pending);
      return {
        ...watched.seen,
        pending: done.pending.calls.map(({ id, name, arguments: args, reason }) => ({
          id,
          name,
          arguments: args,
          reason: reason as "approval",
        })),
        resume: (more) => leg(setup, attempt, saved, more),
      };
    }
    const failedCalls = done.messages.flatMap(({ parts: all }) =>
      all.flatMap((part) => (part.type === "tool_call_response" && part.isError === true ? [part.id] : [])),
    );
    return { ...watched.seen, text: done.text, output: done.output, finishReason: done.finishReason, failedCalls };
  } catch (error) {
    return { ...watched.seen, error };
  }
}

async function streamed(stream: ReturnType<ReturnType<typeof createAgent>["stream"]>, watched: Leg) {
  for await (const delta of stream) {
    if (delta.type === "arguments") watched.parts.push({ id: delta.at, type: "tool_call", text: delta.json });
    if (delta.type !== "part") continue;
    const { at, part } = delta;
    if (part.type === "tool_call") watched.parts.push({ id: at, type: "tool_call", text: "" });
    if (part.type === "reasoning") watched.parts.push({ id: at, type: "reasoning", text: part.content });
    if (part.type !== "text") continue;
    watched.parts.push({ id: at, type: "text", text: part.content });
    if (!watched.read(part.content)) return undefined;
  }
  return stream.result;
}

function toAgent(pending: PendingState, decision: Decision) {
  const call = pending.calls.find((each) => each.id === decision.id);
  if (call === undefined) throw new Error(`No call ${decision.id} waits.`);
  if (decision.type === "approve") return approve(call);
  if (decision.type === "edit") return approve(call, { arguments: decision.arguments });
  if (decision.type === "reject") return reject(call, decision.message);
  return result(call, decision.response);
}
