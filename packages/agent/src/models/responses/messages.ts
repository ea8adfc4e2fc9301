import type { Message, Part } from "@suite/core";
import { isJson } from "@suite/wire";
import type OpenAI from "openai";
import {
  isEncryptedByOpenAI,
  type Media,
  nativeValue,
  resultPieces,
  type Site,
  textOfValue,
  unsendable,
} from "../wire/content.js";

/** The items of each message. A message is converted once, because neutral messages never change. */
const known = new WeakMap<Message, readonly Input[]>();

/**
 * Converts a history to the items of a request. The provider stores nothing, so no item refers to a stored one by id.
 */
export const itemsOf = (messages: readonly Message[]): Input[] =>
  messages.flatMap((message, index) => {
    let items = known.get(message);
    if (items === undefined) {
      const sites = message.parts.map((_, at): Site => ({ api, message, index, at }));
      items =
        message.role === "system" || message.role === "user" ? inputMessage(message, sites) : sites.flatMap(itemOf);
      known.set(message, items);
    }
    return items;
  });

/** Converts a message of a user, or of the system, which can only be text. */
function inputMessage({ role }: Message, sites: readonly Site[]): readonly Input[] {
  if (role !== "system" && role !== "user") return [];
  const content = sites.map((site): InputContent => {
    const part = partAt(site);
    if (part.type === "text") return { type: "input_text", text: part.content };
    if (role === "user" && isMedia(part)) {
      const media = mediaContent(part);
      if (media === undefined) throw unsendable(site, adviceOn(part));
      return media;
    }
    if (part.type === "native") return nativeValue(part.value, site);
    throw unsendable(site);
  });
  const [first] = content;
  return [{ role, content: content.length === 1 && first?.type === "input_text" ? first.text : content }];
}

/**
 * Converts a part of an assistant or a tool to an item. Returns none for reasoning that this API did not encrypt, which
 * it would refuse.
 */
function itemOf(site: Site): readonly Input[] {
  const part = partAt(site);
  switch (part.type) {
    case "text":
      return [{ role: "assistant", content: part.content, ...phaseOf(part) }];
    case "reasoning":
      return part.signature !== undefined && isEncryptedByOpenAI(part)
        ? [reasoningItem(part.content, part.signature)]
        : [];
    case "tool_call":
      return [{ type: "function_call", call_id: part.id, name: part.name, arguments: argumentsOf(part, site) }];
    case "tool_call_response":
      return [{ type: "function_call_output", call_id: part.id, output: outputOf(part.response, site) }];
    case "server_tool_call":
      return [part.serverToolCall as Input];
    case "server_tool_call_response":
      return [part.serverToolCallResponse as unknown as Input];
    case "native":
      return isJson(part.value) && part.value.type === "redacted_thinking" ? [] : [nativeValue(part.value, site)];
    default:
      throw unsendable(site);
  }
}

/** Returns the result of a tool: a string, or a list of content if it contains files. */
function outputOf(response: unknown, site: Site): string | InputContent[] {
  const pieces = resultPieces(response, site, mediaContent);
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1 && "text" in first) return first.text;
  const content = pieces.map(
    (piece): InputContent => ("text" in piece ? { type: "input_text", text: piece.text } : piece.media),
  );
  return content.length === 0 ? "" : content;
}

const partAt = ({ message, at }: Site): Part => message.parts[at] as Part;

const argumentsOf = (part: { readonly arguments: unknown }, site: Site): string =>
  part.arguments === undefined ? "{}" : textOfValue(part.arguments, site);

/** Returns reasoning without the id of a stored item. The API accepts this, although the SDK's type requires an id. */
const reasoningItem = (content: string, encrypted_content: string): Input =>
  ({
    type: "reasoning",
    summary: content === "" ? [] : [{ type: "summary_text", text: content }],
    encrypted_content,
  }) as Partial<Input> as Input;

/**
 * Returns whether a message was a comment during the work or the final answer. Newer models expect this in the history.
 */
function phaseOf({ native }: { readonly native?: unknown }): { readonly phase?: "commentary" | "final_answer" } {
  const phase = isJson(native) ? native.phase : undefined;
  return phase === "commentary" || phase === "final_answer" ? { phase } : {};
}

export type Input = OpenAI.Responses.ResponseInputItem;
type InputContent = OpenAI.Responses.ResponseInputContent;

const api = "OpenAI's responses API";

const isMedia = (part: Part): part is Media => part.type === "blob" || part.type === "uri" || part.type === "file";

type MediaContent = OpenAI.Responses.ResponseInputImage | OpenAI.Responses.ResponseInputFile;

/** Returns an image or a file as the API accepts it in messages and in tool results, or `undefined` for other media. */
function mediaContent(part: Media): MediaContent | undefined {
  const { modality } = part;
  if (part.type === "blob" && part.mimeType === undefined) return undefined;
  if (modality === "image") return { type: "input_image", detail: "auto", ...imageOf(part) };
  return modality === "document" ? { type: "input_file", ...fileOf(part) } : undefined;
}

const adviceOn = (part: Media): string =>
  part.type === "blob" && part.mimeType === undefined ? "Give its mimeType." : "It accepts images and documents.";

const imageOf = (part: Media) =>
  part.type === "file" ? { file_id: part.fileId } : { image_url: part.type === "uri" ? part.uri : dataUrl(part) };

function fileOf(part: Media) {
  if (part.type === "file") return { file_id: part.fileId };
  if (part.type === "uri") return { file_url: part.uri };
  return { filename: "document", file_data: dataUrl(part) };
}

const dataUrl = ({ mimeType, content }: Media & { type: "blob" }): string => `data:${mimeType};base64,${content}`;
