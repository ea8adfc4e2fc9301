import type Anthropic from "@anthropic-ai/sdk";
import type { Message } from "@suite/core";
import type { CacheMark } from "@suite/core/contract";
import type { ToolCallResponsePart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import {
  isSignedElsewhere,
  type Media,
  nativeValue,
  resultPieces,
  type Site,
  textOfValue,
  unsendable,
} from "../wire/content.js";

type Param = Anthropic.MessageParam;

/** A history in the form of the API, with the system prompt separate from the turns. */
export interface History {
  readonly system?: string | Anthropic.TextBlockParam[];
  readonly messages: Param[];
}

/** The blocks of each message. A message is converted once, because neutral messages never change. */
const known = new WeakMap<Message, readonly Block[]>();

/**
 * Converts a history to alternating turns. Results of tools belong to the user's turn and come first in it: the API
 * requires them directly after the calls, in one message.
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
    ...(first !== undefined && { system: system.length === 1 && isOnlyText(first) ? first.text : system }),
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

/** Returns the blocks of a message with a cache mark on the last one. Reasoning cannot have a mark. */
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
  throw unsendable(site, "A system prompt can only contain text.");
}

const isOnlyText = (block: Anthropic.TextBlockParam): boolean => Object.keys(block).length === 2;

function resultsFirst(content: Block[]): Block[] {
  const results = content.filter(({ type }) => type === "tool_result");
  if (results.length === 0) return content;
  return [...results, ...content.filter(({ type }) => type !== "tool_result")];
}

type Block = Anthropic.ContentBlockParam;

const api = "Anthropic's messages API";

/**
 * Returns the block of a part, or `undefined` for a part that the API would refuse: empty text, and reasoning that it
 * did not sign.
 */
function blockOf(site: Site): Block | undefined {
  const part = site.message.parts[site.at];
  switch (part?.type) {
    case "text":
      return part.content === "" ? undefined : { type: "text", text: part.content };
    case "reasoning":
      if (part.signature === undefined || isSignedElsewhere(part)) return undefined;
      return { type: "thinking", thinking: part.content, signature: part.signature };
    case "tool_call":
      return { type: "tool_use", id: part.id, name: part.name, input: inputOf(part.arguments, site) };
    case "tool_call_response":
      return {
        type: "tool_result",
        tool_use_id: part.id,
        content: resultOf(part, site),
        ...(part.isError === true && { is_error: true }),
      };
    case "server_tool_call":
      return providerBlock(part.serverToolCall, /^server_tool_use$/, site);
    case "server_tool_call_response":
      return providerBlock(part.serverToolCallResponse, /_tool_result$/, site);
    case "blob":
    case "uri":
    case "file": {
      const block = mediaBlock(part);
      if (block === undefined) throw unsendable(site, adviceOn(part));
      return block;
    }
    case "native":
      return nativeValue(part.value, site);
    default:
      throw unsendable(site);
  }
}

/** Returns arguments as an object. If a model wrote invalid arguments, their string is sent back as `INVALID_JSON`. */
function inputOf(args: unknown, site: Site): object {
  if (args === undefined) return {};
  if (isRecord(args)) return args;
  return { INVALID_JSON: textOfValue(args, site) };
}

/** Returns the API's block for the call or the result of a provider's tool. */
function providerBlock(block: { readonly type: string }, expected: RegExp, site: Site): Block {
  if (expected.test(block.type)) return block as Block;
  throw unsendable(site, "It belongs to another provider's tool. Remove it.");
}

type MediaBlock = Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam;

/**
 * Returns an image or a document as the API accepts it in messages and in tool results, or `undefined` for other media.
 */
function mediaBlock(part: Media): MediaBlock | undefined {
  const { modality } = part;
  if (part.type === "blob") {
    const source = { type: "base64", data: part.content } as const;
    if (modality === "image" && part.mimeType !== undefined) {
      const media_type = part.mimeType as Anthropic.Base64ImageSource["media_type"];
      return { type: "image", source: { ...source, media_type } };
    }
    if (modality !== "document" || part.mimeType !== "application/pdf") return undefined;
    return { type: "document", source: { ...source, media_type: part.mimeType } };
  }
  const source: Source = part.type === "uri" ? { type: "url", url: part.uri } : { type: "file", file_id: part.fileId };
  if (modality === "image") return { type: "image", source };
  return modality === "document" ? { type: "document", source } : undefined;
}

type Source = Anthropic.URLImageSource | Anthropic.FileImageSource;

function adviceOn(part: Media): string {
  if (part.type !== "blob") return "It accepts images and documents.";
  return part.mimeType === undefined ? "Give its mimeType." : "It accepts images, and documents as application/pdf.";
}

/** Returns the result of a tool: a string, or a list of blocks if it contains files. */
function resultOf({ response }: ToolCallResponsePart, site: Site): string | (Anthropic.TextBlockParam | MediaBlock)[] {
  const pieces = resultPieces(response, site, mediaBlock);
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1 && "text" in first) return first.text;
  const content = pieces.filter((piece) => !("text" in piece) || piece.text !== ""); // the API refuses empty text
  return content.length === 0
    ? ""
    : content.map((piece) => ("text" in piece ? { type: "text", text: piece.text } : piece.media));
}
