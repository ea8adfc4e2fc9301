import { createRequire } from "node:module";
import { createOpenAI } from "@ai-sdk/openai";
import { withPlugins } from "@suite/ai-sdk";
import type { Plugin } from "@suite/core";
import {
  type Attempt,
  answering,
  type ContractTool,
  type Decision,
  Leg,
  type ModelServer,
  type Observed,
  type PendingCall,
  type SeenPiece,
  type Subject,
} from "@suite/testkit";
import type { ModelMessage, ToolSet } from "ai";
import * as ai from "ai";

/** The major of the AI SDK as it is installed: this folder is tested with each. */
export const major: string = createRequire(import.meta.url)("ai/package.json").version.split(".")[0];

/** The entry that a user calls: generateText, or an agent. */
export type Entry = "functions" | "agent";

/** The framework's own functions, or its agent class, against the fake model server, as a user writes it. */
export function aiSubject(server: () => ModelServer, entry: Entry): Subject {
  return {
    offers: new Set([
      "model",
      "usage",
      "stream",
      "parts",
      "tools",
      "tool-files",
      "tool-failures",
      "reply-from-tools",
      "error-identity",
      "provider-errors",
      "abort",
      "abandon-tools",
      "agent-streams",
      "system-prompt",
      "structured-output",
      "approval",
      "external-tools",
      "sub-agents",
      "memory",
      "ids",
      ...(entry === "functions" ? (["embeddings"] as const) : []),
    ]),
    lacks: {
      "agent-reads": "the AI SDK makes the next request from the parts of the answer that have passed the layers",
      "approval-edit": "an approval of the AI SDK says yes or no, and has no place for other arguments",
      "tool-context": "a tool begins while the answer with its call is still streaming",
      embeddings: "the AI SDK asks for embeddings by functions of their own, which no agent is in",
      retrieval: "the AI SDK has nothing that searches: what does is a tool",
    },
    hooks: withPlugins.serves,
    async embed({ plugins, texts }) {
      server().reset();
      const model = createOpenAI({ apiKey: "none", baseURL: `${server().url}/v1` }).embedding("m");
      const seen = await withPlugins(ai, plugins as readonly Plugin[])
        .embedMany({ model, values: [...texts], maxRetries: 0 })
        .then(
          ({ embeddings }) => ({ embeddings }),
          (error: unknown) => ({ error }),
        );
      return { pieces: [], ...seen, prompts: server().requests.map(({ body }) => JSON.stringify(body)) };
    },
    run(attempt) {
      return leg(answering(server(), attempt), entry, attempt, [{ role: "user", content: attempt.input }]);
    },
  };
}

/** A model of the fake server, in the protocol that has parts of several kinds. */
export const modelOf = (server: ModelServer) =>
  createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` }).responses("m");

interface Seen {
  readonly finishReason: string;
  readonly text: string;
  readonly output: unknown;
  readonly content: readonly ai.ContentPart<ToolSet>[];
  readonly messages: readonly ModelMessage[];
}

async function leg(server: ModelServer, entry: Entry, attempt: Attempt, messages: ModelMessage[]): Promise<Observed> {
  const watched = new Leg(server, attempt);
  let seen: Seen | undefined;
  let error: unknown;
  try {
    seen = await run(watched, entry, attempt, messages);
  } catch (caught) {
    error = caught;
  }
  const pending = seen === undefined ? [] : pendingOf(seen, attempt.tools);
  const saved = JSON.stringify(seen?.messages ?? []);
  return {
    ...watched.seen,
    prompts: withOwnIds(watched.seen.prompts),
    ...(seen !== undefined && { finishReason: seen.finishReason }),
    ...(seen !== undefined && pending.length === 0 && { text: seen.text }),
    ...(seen !== undefined && attempt.outputSchema && { output: seen.output }),
    ...(seen !== undefined && { failedCalls: failedIn(seen.messages) }),
    ...(error !== undefined && { error }),
    ...(pending.length > 0 && {
      pending,
      resume: (decisions: readonly Decision[]) => leg(server, entry, attempt, decided(JSON.parse(saved), decisions)),
    }),
  };
}

/** The server's ids of what it said, which count on from answer to answer, counted from one. */
function withOwnIds(prompts: readonly string[]): readonly string[] {
  const ids = new Map<string, string>();
  const own = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `item_${ids.size + 1}`);
    return ids.get(id) as string;
  };
  return prompts.map((prompt) => prompt.replace(/(?<="id":")(?:rs|msg|fc)_[^"]+/g, own));
}

async function run(watched: Leg, entry: Entry, attempt: Attempt, messages: ModelMessage[]): Promise<Seen | undefined> {
  const { generateText, streamText, ToolLoopAgent } = withPlugins(ai, attempt.plugins as readonly Plugin[], {
    run: attempt.run,
  });
  const model = modelOf(watched.server);
  const common = {
    model,
    tools: toolsOf(attempt.tools, attempt.plugins, model, attempt.stream),
    maxRetries: 0,
    ...(attempt.outputSchema && { output: ai.Output.object({ schema: ai.jsonSchema<unknown>(attempt.outputSchema) }) }),
  };
  const system = attempt.systemPrompt;
  const call = { messages, ...(attempt.signal && { abortSignal: attempt.signal }) };
  const agent = new ToolLoopAgent({ ...common, ...(system && { instructions: system }) });
  const settings = { ...common, ...(system && { system }), ...call, stopWhen: ai.stepCountIs(20) };
  if (!attempt.stream) {
    const result = entry === "agent" ? await agent.generate(call) : await generateText(settings);
    const { text, content, finishReason } = result;
    const output = attempt.outputSchema && result.output;
    return { text, output, content, finishReason, messages: [...messages, ...(await responseMessages(result))] };
  }
  const result = entry === "agent" ? await agent.stream(call) : streamText({ ...settings, onError: () => {} });
  for await (const part of result.fullStream) {
    watched.parts.push(...pieceOf(part));
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw attempt.signal?.reason;
    if (part.type === "text-delta" && !watched.read(part.text)) return undefined;
  }
  return {
    finishReason: await result.finishReason,
    text: await result.text,
    output: attempt.outputSchema && (await result.output),
    content: (await result.content) as Seen["content"],
    messages: [...messages, ...(await responseMessages(result))],
  };
}

/** The piece of an answer's part that a part of the stream is. */
function pieceOf(part: ai.TextStreamPart<ToolSet>): readonly SeenPiece[] {
  switch (part.type) {
    case "text-start":
    case "reasoning-start":
      return [{ id: `${part.type[0]}${part.id}`, type: part.type === "text-start" ? "text" : "reasoning", text: "" }];
    case "text-delta":
    case "reasoning-delta": {
      const type = part.type === "text-delta" ? "text" : "reasoning";
      return [{ id: `${part.type[0]}${part.id}`, type, text: part.text }];
    }
    case "tool-input-start":
      return [{ id: `c${part.id}`, type: "tool_call", text: "" }];
    case "tool-input-delta":
      return [{ id: `c${part.id}`, type: "tool_call", text: part.delta }];
    default:
      return [];
  }
}

/** The messages that a turn added to the history. From major 7 on, `response` is that of the last step alone. */
export async function responseMessages(result: {
  readonly response: PromiseLike<Response> | Response;
  readonly responseMessages?: PromiseLike<readonly ModelMessage[]> | readonly ModelMessage[];
}): Promise<readonly ModelMessage[]> {
  return (await result.responseMessages) ?? (await result.response).messages;
}

interface Response {
  readonly messages: readonly ModelMessage[];
}

/** The calls of which the framework tells the model that they failed. */
const failedIn = (messages: readonly ModelMessage[]): readonly string[] =>
  messages.flatMap(({ role, content }) =>
    role !== "tool"
      ? []
      : content.flatMap((part) =>
          part.type === "tool-result" && part.output.type.startsWith("error") ? [part.toolCallId] : [],
        ),
  );

/** The pending calls that the user is to answer: the approvals that are asked for, and the calls of tools that run elsewhere. */
function pendingOf({ content }: Seen, tools: readonly ContractTool[]): readonly PendingCall[] {
  const approvals = content.flatMap((part) =>
    part.type === "tool-approval-request" ? [part.toolCall.toolCallId] : [],
  );
  return content.flatMap((part): readonly PendingCall[] => {
    if (part.type !== "tool-call") return [];
    const { toolCallId: id, toolName: name, input } = part;
    const tool = tools.find((each) => each.name === name);
    if (approvals.includes(id)) return [{ id, name, arguments: input, reason: "approval" }];
    const elsewhere = tool !== undefined && tool.execute === undefined && tool.agent === undefined;
    return elsewhere ? [{ id, name, arguments: input, reason: "external" }] : [];
  });
}

/** The history with what was decided, as the framework takes it. */
function decided(messages: ModelMessage[], decisions: readonly Decision[]): ModelMessage[] {
  const asked = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content : [],
  );
  const nameOf = (id: string): string =>
    asked.flatMap((part) => (part.type === "tool-call" && part.toolCallId === id ? [part.toolName] : []))[0] ?? "";
  const content = decisions.map((decision) => {
    if (decision.type === "result") {
      const output = { type: "json" as const, value: decision.response as ai.JSONValue };
      return { type: "tool-result" as const, toolCallId: decision.id, toolName: nameOf(decision.id), output };
    }
    const request = asked.find((part) => part.type === "tool-approval-request" && part.toolCallId === decision.id);
    const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
    const reason = decision.type === "reject" ? { reason: decision.message } : {};
    return { type: "tool-approval-response" as const, approvalId, approved: decision.type === "approve", ...reason };
  });
  const answered = messages.at(-1)?.role === "tool" ? (messages.at(-1)?.content as typeof content) : [];
  const before = answered.length > 0 ? messages.slice(0, -1) : messages;
  // In the order of the calls, as `convertToModelMessages` gives them.
  const place = (part: (typeof content)[number]): number =>
    asked.findIndex((call) => "toolCallId" in call && "toolCallId" in part && call.toolCallId === part.toolCallId);
  return [...before, { role: "tool", content: [...answered, ...content].sort((a, b) => place(a) - place(b)) }];
}

function toolsOf(
  tools: readonly ContractTool[],
  plugins: readonly Plugin[],
  model: ReturnType<typeof modelOf>,
  stream: boolean,
): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, execute, needsApproval, agent }) => {
      const common = { description, inputSchema: ai.jsonSchema(parameters), ...(needsApproval && { needsApproval }) };
      if (agent === undefined)
        return [
          name,
          ai.tool({ ...common, ...(execute && { execute: async (input: unknown) => execute(input) }) } as never),
        ];
      const { generateText, streamText } = withPlugins(ai, plugins);
      const inner = {
        model,
        tools: toolsOf(agent.tools, plugins, model, stream),
        maxRetries: 0,
        stopWhen: ai.stepCountIs(20),
      };
      const ask = async (input: unknown): Promise<string> => {
        const { prompt } = input as { prompt: string };
        return stream ? streamText({ ...inner, prompt }).text : (await generateText({ ...inner, prompt })).text;
      };
      return [name, ai.tool({ ...common, execute: ask } as never)];
    }),
  );
}
