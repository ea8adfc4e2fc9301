import type Anthropic from "@anthropic-ai/sdk";
import type { CacheMark, Message } from "@suite/core";
import { type Site, unsendable } from "../wire/refusal.js";
import { api, type Block, blockOf } from "./blocks.js";

type Param = Anthropic.MessageParam;

/** A history in the API's form: the system prompt beside the turns. */
export interface History {
  readonly system?: string | Anthropic.TextBlockParam[];
  readonly messages: Param[];
}

/** Each message is converted once: neutral messages never change. */
const known = new WeakMap<Message, readonly Block[]>();

/**
 * Converts a history to turns that alternate. Tools answer as the user, and what they answer comes first in its turn:
 * the API wants it right after the calls, all in one message.
 */
export function historyOf(messages: readonly Message[], marks: readonly CacheMark[] = []): History {
  const system: Anthropic.TextBlockParam[] = [];
  const turns: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const mark = marks.find(({ after }) => after === message);
    const blocks = marked(blocksOf(message, index), mark);
    if (message.role === "system") {
      for (const [at, block] of blocks.entries()) system.push(textAlone(block, { api, message, index, at }));
      continue;
    }
    if (blocks.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  }
  for (const turn of turns) if (turn.role === "user") turn.content = resultsFirst(turn.content);
  const [first] = system;
  return {
    ...(first !== undefined && { system: system.length === 1 && isPlain(first) ? first.text : system }),
    messages: turns,
  };
}

function blocksOf(message: Message, index: number): readonly Block[] {
  let blocks = known.get(message);
  if (blocks === undefined) {
    blocks = message.parts.flatMap((_, at) => blockOf({ api, message, index, at }) ?? []);
    known.set(message, blocks);
  }
  return blocks;
}

/** The blocks of a message, with a mark on the last; reasoning takes none. */
function marked(blocks: readonly Block[], mark: CacheMark | undefined): readonly Block[] {
  const last = blocks.at(-1);
  if (mark === undefined || last === undefined || !takesMark(last)) return blocks;
  const { ttl } = mark;
  return blocks.with(-1, { ...last, cache_control: { type: "ephemeral", ...(ttl !== undefined && { ttl }) } });
}

type Markable = Extract<Block, { cache_control?: unknown }>;

const takesMark = (block: Block): block is Markable =>
  ["text", "image", "document", "tool_use", "tool_result"].includes(block.type);

function textAlone(block: Block, site: Site): Anthropic.TextBlockParam {
  if (block.type === "text") return block;
  throw unsendable(site, "A system prompt is text.");
}

const isPlain = (block: Anthropic.TextBlockParam): boolean => Object.keys(block).length === 2;

function resultsFirst(content: Block[]): Block[] {
  const results = content.filter(({ type }) => type === "tool_result");
  if (results.length === 0) return content;
  return [...results, ...content.filter(({ type }) => type !== "tool_result")];
}
