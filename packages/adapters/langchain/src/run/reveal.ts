import { AIMessage, type BaseMessage, isAIMessage, isBaseMessage } from "@langchain/core/messages";
import type { Run } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { sessionOf } from "../in-run.js";
import type { AgentConfig, Snapshot } from "./target.js";

type Reveal = (text: string) => Promise<string>;

/**
 * The maximum depth of the search for messages in a value: `[namespace, mode, { node: { messages } }]` has five levels.
 */
const deepest = 6;

/**
 * Returns a value of the graph (a state, an update, an event) with the values in its answers restored for the user.
 * LangGraph stores answers as the model wrote them. Returns the value itself if nothing changes.
 */
export async function revealed<T>({ stack }: FrameworkRuns, run: Run, value: T): Promise<T> {
  if (!stack.reveals) return value;
  const known = new Map<string, Promise<string>>();
  const reveal: Reveal = (text) => {
    const answer = known.get(text) ?? stack.reveal(text, run);
    known.set(text, answer);
    return answer;
  };
  return (await inside(value, reveal)) as T;
}

/** Returns the snapshot of a thread with the values in its answers restored for the user. */
export async function revealedSnapshot(
  runs: FrameworkRuns,
  config: AgentConfig | undefined,
  snapshot: Snapshot,
): Promise<Snapshot> {
  if (!runs.stack.reveals) return snapshot;
  const run = runs.begin(sessionOf(config));
  try {
    const values = await revealed(runs, run, snapshot.values);
    return values === snapshot.values ? snapshot : { ...snapshot, values };
  } finally {
    await run.end();
  }
}

/**
 * @param named true if the value is in a field. Elsewhere a chunk is a piece of streamed text, which layers have seen.
 */
async function inside(value: unknown, reveal: Reveal, depth = 0, named = false): Promise<unknown> {
  if (isBaseMessage(value)) return isAIMessage(value) && (named || !isChunk(value)) ? answer(value, reveal) : value;
  if (depth > deepest) return value;
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((item) => inside(item, reveal, depth + 1, named)));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = await Promise.all(
    // The `chunk` of an event is also a piece of text.
    Object.entries(value).map(
      async ([name, item]) => [name, await inside(item, reveal, depth + 1, name !== "chunk")] as const,
    ),
  );
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries);
}

const isChunk = (message: BaseMessage): boolean => "concat" in message;

async function answer(message: AIMessage, reveal: Reveal): Promise<BaseMessage> {
  const content = await contentWith(message.content, reveal);
  if (content === message.content) return message;
  const { id, name, tool_calls, invalid_tool_calls, usage_metadata, additional_kwargs, response_metadata } = message;
  return new AIMessage({
    content,
    additional_kwargs,
    response_metadata,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(tool_calls !== undefined && { tool_calls }),
    ...(invalid_tool_calls !== undefined && { invalid_tool_calls }),
    ...(usage_metadata !== undefined && { usage_metadata }),
  });
}

async function contentWith(content: AIMessage["content"], reveal: Reveal): Promise<AIMessage["content"]> {
  if (typeof content === "string") return content === "" ? content : reveal(content);
  const blocks = await Promise.all(
    content.map(async (block) => {
      if (block.type !== "text" || typeof block.text !== "string") return block;
      const text = await reveal(block.text);
      return text === block.text ? block : { ...block, text };
    }),
  );
  return blocks.every((block, index) => block === content[index]) ? content : blocks;
}
