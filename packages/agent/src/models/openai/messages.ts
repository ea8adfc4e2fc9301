import type { Message, Part } from "@suite/core";
import type { BlobPart } from "@suite/core/messages";
import type { Json } from "@suite/wire";
import type OpenAI from "openai";
import { isSealed, nativeOfSigner } from "../../signer.js";
import { type Media, nativeValue, resultPieces, type Site, textOfValue, unsendable } from "../wire/content.js";
import { thinkingOf } from "./content.js";
import { detailOf } from "./reasoning-details.js";

type Param = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Call = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

/** The settings of a model client for the conversion of histories. */
export interface Conversion {
  /** True if reasoning is sent back as `reasoning_content`. */
  readonly sendReasoning: boolean;
  /** The `signer` of the client. Parts that its server signed are sent back to it. */
  readonly signer: string;
}

/** Creates a converter of histories. It converts each message once, because neutral messages never change. */
export function messageConverter(conversion: Conversion): (messages: readonly Message[]) => Param[] {
  const known = new WeakMap<Message, Converted>();
  const convert = (message: Message, index: number): Converted => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const converted = convertedOf(message, index, conversion);
    known.set(message, converted);
    return converted;
  };
  return (messages) => {
    const params: Param[] = [];
    let toolMedia: UserContent[] = [];
    const show = (): void => {
      if (toolMedia.length > 0) params.push({ role: "user", content: toolMedia });
      toolMedia = [];
    };
    for (const [index, message] of messages.entries()) {
      // All answers to the calls of one message must be adjacent, even if the history separates them.
      if (message.role !== "tool") show();
      const converted = convert(message, index);
      params.push(...converted.params);
      if (converted.toolMedia !== undefined) toolMedia.push(...converted.toolMedia);
    }
    show();
    return params;
  };
}

/** A converted message, and the files of tool results, which the API accepts only from a user. */
interface Converted {
  readonly params: readonly Param[];
  readonly toolMedia?: readonly UserContent[];
}

function convertedOf(message: Message, index: number, conversion: Conversion): Converted {
  const toolMedia: UserContent[] = [];
  const params = paramsOf(message, index, conversion, toolMedia);
  return toolMedia.length === 0 ? { params } : { params, toolMedia };
}

function paramsOf(message: Message, index: number, conversion: Conversion, toolMedia: UserContent[]): readonly Param[] {
  const sites: readonly Site[] = message.parts.map((_, at) => ({ api, message, index, at }));
  const named = message.name === undefined ? undefined : { name: message.name };
  switch (message.role) {
    case "system":
      return [{ role: "system", content: brief(sites.map(textContent)), ...named }];
    case "user":
      return [{ role: "user", content: brief(sites.map(userContent)), ...named }];
    case "assistant":
      return [{ ...assistant(sites, conversion), ...named }];
    case "tool":
      return sites.map((site) => toolMessage(site, toolMedia));
  }
}

/** Returns a single text as a string: not every compatible server accepts a list. */
function brief<T extends { readonly type: string }>(content: T[]): string | (T | TextContent)[] {
  const [first] = content;
  if (first === undefined) return "";
  return content.length === 1 && first.type === "text" && "text" in first ? String(first.text) : content;
}

function assistant(sites: readonly Site[], { sendReasoning, signer }: Conversion): Param & { role: "assistant" } {
  const content: TextContent[] = [];
  const calls: Call[] = [];
  const details: Json[] = [];
  let reasoning = "";
  let signed: object | undefined;
  for (const site of sites) {
    const part = site.message.parts[site.at];
    if (part?.type === "tool_call") {
      const json = part.arguments === undefined ? "{}" : textOfValue(part.arguments, site);
      const called = { name: part.name, arguments: json };
      calls.push({ id: part.id, type: "function", function: called, ...extraOf(part, signer) });
    } else if (part?.type === "reasoning") {
      const thinking = thinkingOf(part, signer);
      const detail = detailOf(part, signer);
      if (detail !== undefined) details.push(detail);
      // The SDK's types do not contain this item of Mistral's API.
      if (thinking !== undefined) content.push(thinking as object as TextContent);
      else reasoning += part.content;
    } else if (part === undefined || !isSealed(part)) {
      if (part?.type === "text") signed = extraOf(part, signer) ?? signed;
      content.push(textContent(site));
    }
  }
  return {
    role: "assistant",
    content: content.length === 0 && calls.length > 0 ? null : brief(content),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(sendReasoning && reasoning !== "" && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...signed,
  };
}

/** Returns the signature of a call or of text, if the server of this client created it. */
function extraOf(part: Part, signer: string): { readonly extra_content: unknown } | undefined {
  const { extra_content } = nativeOfSigner(part, signer) ?? {};
  return extra_content === undefined ? undefined : { extra_content };
}

/**
 * Converts the result of a tool to a message, which can only be text. Images and other files are replaced by a name,
 * and are sent under this name after the results. The API cannot mark a failed tool: its message contains the failure.
 */
function toolMessage(site: Site, toolMedia: UserContent[]): Param {
  const part = site.message.parts[site.at];
  if (part?.type === "native") return nativeValue(part.value, site);
  if (part?.type !== "tool_call_response") throw unsendable(site, "Tool results must be tool_call_response parts.");
  let files = 0;
  const texts = resultPieces(part.response, site, mediaContent).map((piece) => {
    if ("text" in piece) return piece.text;
    const name = `[File ${++files} of the result of ${part.id}]`;
    toolMedia.push({ type: "text", text: name }, piece.media);
    return `${name} is shown below.`;
  });
  return { role: "tool", tool_call_id: part.id, content: texts.join("\n") };
}

type UserContent = OpenAI.Chat.Completions.ChatCompletionContentPart;
type TextContent = OpenAI.Chat.Completions.ChatCompletionContentPartText;

const api = "OpenAI's chat completions";

/** Returns the text of a part. The API accepts only text in this place. */
function textContent(site: Site): TextContent {
  const part = site.message.parts[site.at];
  if (part?.type === "text") return { type: "text", text: part.content };
  if (part?.type === "native") return nativeValue(part.value, site);
  throw unsendable(site);
}

/** Returns the content of a user's message. */
function userContent(site: Site): UserContent {
  const part = site.message.parts[site.at];
  if (part?.type !== "blob" && part?.type !== "uri" && part?.type !== "file") return textContent(site);
  const media = mediaContent(part);
  if (media === undefined) throw unsendable(site, adviceOn(part));
  return media;
}

const audioFormats: Readonly<Record<string, "wav" | "mp3">> = {
  __proto__: null as never,
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** Returns an image or another file as the API accepts it from a user, or `undefined` for other media. */
function mediaContent(part: Media): UserContent | undefined {
  const { modality } = part;
  if (part.type === "blob") return blobContent(part);
  if (part.type === "uri")
    return modality === "image" ? { type: "image_url", image_url: { url: part.uri } } : undefined;
  return modality === "document" ? { type: "file", file: { file_id: part.fileId } } : undefined;
}

function blobContent({ modality, mimeType, content }: BlobPart): UserContent | undefined {
  if (mimeType === undefined) return undefined;
  const url = `data:${mimeType};base64,${content}`;
  if (modality === "image") return { type: "image_url", image_url: { url } };
  if (modality === "document") return { type: "file", file: { file_data: url, filename: "document" } };
  const format = audioFormats[mimeType];
  if (modality !== "audio" || format === undefined) return undefined;
  return { type: "input_audio", input_audio: { data: content, format } };
}

function adviceOn(part: Media): string {
  if (part.type === "uri") return "It accepts only images by URL. Pass a blob, or a file stored at the provider.";
  if (part.type === "file") return "It accepts only documents as files stored at the provider. Pass a blob.";
  if (part.mimeType === undefined) return "Give its mimeType.";
  return "It accepts images, documents, and audio as audio/wav or audio/mpeg.";
}
