import { type Attributes, type Span, textAt } from "./span.js";

/**
 * The names under which senders write the same fact, the name of OpenTelemetry's GenAI conventions first. The senders are
 * OpenInference, the AI SDK 6 (`ai.…`), OpenLLMetry (`traceloop.…`, `llm.…`), Langfuse, LangSmith, Pydantic AI and Google's ADK
 * (`gcp.…`). The viewer reads a span by these names alone, and changes no attribute.
 */
const names = {
  agent: ["gen_ai.agent.name", "gen_ai.workflow.name", "agent.name", "agent_name", "ai.telemetry.functionId"],
  model: [
    "gen_ai.response.model",
    "ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "embedding.model_name",
    "ai.model.id",
    "langfuse.observation.model.name",
  ],
  tool: ["gen_ai.tool.name", "tool.name", "ai.toolCall.name"],
  toolCall: ["gen_ai.tool.call.id", "suite.tool.call.id", "ai.toolCall.id", "tool_call.id"],
  session: [
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.thread_id",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.session.id",
    "ai.telemetry.metadata.threadId",
    "langsmith.metadata.session_id",
    "langsmith.metadata.thread_id",
    "langsmith.metadata.conversation_id",
    "langsmith.trace.session_id",
    "gcp.vertex.agent.session_id",
  ],
  user: [
    "user.id",
    "enduser.id",
    "langfuse.user.id",
    "traceloop.association.properties.user_id",
    "ai.telemetry.metadata.userId",
    "ai.telemetry.metadata.user.id",
    "langsmith.metadata.user_id",
  ],
  inputTokens: [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
    "ai.usage.tokens",
  ],
  outputTokens: [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
  ],
  cost: ["suite.usage.cost", "gen_ai.usage.cost", "llm.cost.total"],
} as const;

/** The operations of the conventions, by the words of each sender. Its words are compared in lower case. */
const operations: readonly (readonly [key: string, words: Readonly<Record<string, string>>])[] = [
  [
    "openinference.span.kind",
    {
      llm: "chat",
      embedding: "embeddings",
      agent: "invoke_agent",
      tool: "execute_tool",
      retriever: "retrieval",
      chain: "",
    },
  ],
  [
    "ai.operationid",
    {
      "ai.generatetext": "invoke_agent",
      "ai.streamtext": "invoke_agent",
      "ai.generateobject": "invoke_agent",
      "ai.streamobject": "invoke_agent",
      "ai.generatetext.dogenerate": "chat",
      "ai.streamtext.dostream": "chat",
      "ai.generateobject.dogenerate": "chat",
      "ai.streamobject.dostream": "chat",
      "ai.embed": "",
      "ai.embedmany": "",
      "ai.embed.doembed": "embeddings",
      "ai.embedmany.doembed": "embeddings",
      "ai.toolcall": "execute_tool",
    },
  ],
  [
    "langfuse.observation.type",
    {
      generation: "chat",
      embedding: "embeddings",
      agent: "invoke_agent",
      tool: "execute_tool",
      retriever: "retrieval",
      span: "",
    },
  ],
  ["traceloop.span.kind", { workflow: "invoke_workflow", agent: "invoke_agent", tool: "execute_tool", task: "" }],
  ["llm.request.type", { chat: "chat", completion: "text_completion", embedding: "embeddings" }],
  [
    "langsmith.span.kind",
    { llm: "chat", embedding: "embeddings", tool: "execute_tool", retriever: "retrieval", chain: "" },
  ],
];
const keysOfOperations: Readonly<Record<string, string>> = {
  __proto__: null as never,
  "ai.operationid": "ai.operationId",
};

/** Returns the operation of a span, as the semantic conventions name it. Returns `undefined` if it is unknown. */
export function operationOf({ attributes }: Span): string | undefined {
  const operation = textAt(attributes, "gen_ai.operation.name");
  if (operation !== undefined) return operation;
  for (const [key, words] of operations) {
    const word = textAt(attributes, keysOfOperations[key] ?? key)?.toLowerCase();
    if (word !== undefined && Object.hasOwn(words, word)) return words[word] === "" ? undefined : words[word];
  }
  // Only model calls have the attribute for a requested model.
  return textAt(attributes, "gen_ai.request.model") === undefined ? undefined : "chat";
}

/** Returns the value if it is a string. */
type Text = "agent" | "model" | "tool" | "toolCall" | "session" | "user";

/** Returns a fact of a span under any of its names. Returns `undefined` if it has none. */
export const factOf = (fact: Text, { attributes }: Span): string | undefined =>
  first(names[fact], (name) => textAt(attributes, name));

/** The tokens of one model call, if known. */
export interface Tokens {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

/** Returns the tokens of a span. An unknown number is `undefined`, and not 0. */
export function tokensOf({ attributes }: Span): Tokens {
  const details = numbersIn(attributes["langfuse.observation.usage_details"]);
  const of = (fact: "inputTokens" | "outputTokens", detail: string): number | undefined =>
    first(names[fact], (name) => amountAt(attributes, name)) ?? amountAt(details, detail);
  return { input: of("inputTokens", "input"), output: of("outputTokens", "output") };
}

/** Returns the cost of a span. Returns `undefined` if it has none. */
export const costOf = ({ attributes }: Span): number | undefined =>
  first(names.cost, (name) => amountAt(attributes, name)) ??
  amountAt(numbersIn(attributes["langfuse.observation.cost_details"]), "total");

function first<T>(keys: readonly string[], read: (key: string) => T | undefined): T | undefined {
  for (const key of keys) {
    const found = read(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns an attribute as a number of at least 0. Some senders write it as a string. */
function amountAt(attributes: Attributes, key: string): number | undefined {
  const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Returns the members of a JSON object. Returns an empty object for any other value. */
function numbersIn(value: unknown): Attributes {
  if (typeof value !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null ? (parsed as Attributes) : {};
  } catch {
    return {};
  }
}
