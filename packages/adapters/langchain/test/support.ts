import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk } from "@langchain/core/messages";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { type ModelServer, type SeenPiece, useModelServer } from "@suite/testkit";
import { type AgentMiddleware, humanInTheLoopMiddleware } from "langchain";

/** One server for a test file, empty before each test, with chat models that ask it. */
export function useServer() {
  const started = useModelServer({ beforeAll, afterEach, afterAll });
  return {
    get server() {
      return started();
    },
    /** The requests that the models were sent, as JSON text, one per request. */
    get prompts() {
      return started().requests.map(({ body }) => JSON.stringify(body));
    },
    model: (more: ChatOpenAIFields = {}) => chatModel(started(), more),
  };
}

export const chatModel = (server: ModelServer, more: ChatOpenAIFields = {}): ChatOpenAI =>
  new ChatOpenAI({
    model: "gpt-5",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
    ...more,
  });

/** A chat model of a test, to which tools are bound without effect; what it says is up to the class that extends it. */
export abstract class TestModel extends BaseChatModel {
  override _llmType(): string {
    return "test";
  }
  override bindTools() {
    return this;
  }
}

/** The types of its options do not survive strict optional properties. */
export const approving = (interruptOn: Record<string, unknown>): AgentMiddleware =>
  humanInTheLoopMiddleware({ interruptOn } as never);

export const asks = (content: string) => ({ messages: [{ role: "user" as const, content }] });

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** The error that a promise rejects with; fails where it does not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("It did not reject.");
}

/** Waits until something holds, or for twenty seconds. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds() && Date.now() < end; )
    await new Promise((done) => setTimeout(done, 5));
}

/** The pieces of parts in a chunk of a message, as somebody who streams the mode `messages` sees them. */
export function partsIn({ id = "", content, additional_kwargs, tool_call_chunks = [] }: AIMessageChunk): SeenPiece[] {
  const thought = additional_kwargs.reasoning_content;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return [
    ...(typeof thought === "string" ? [{ id: `${id} beside`, type: "reasoning" as const, text: thought }] : []),
    ...blocks.flatMap((block): SeenPiece[] => {
      const { index = "", text = "", reasoning, thinking = reasoning } = block as Record<string, string | undefined>;
      if (typeof thinking === "string") return [{ id: `${id} reasoning ${index}`, type: "reasoning", text: thinking }];
      return block.type === "text" && (index !== "" || text !== "")
        ? [{ id: `${id} text ${index}`, type: "text", text }]
        : [];
    }),
    ...tool_call_chunks.map(({ index, args = "" }) => ({
      id: `${id} call ${index}`,
      type: "tool_call" as const,
      text: args,
    })),
  ];
}
