import type { Message, Part } from "@suite/core";
import { isJson } from "@suite/wire";
import { isEncryptedByOpenAI } from "../wire/reasoning.js";
import { nativeValue, type Site, textOfValue, unsendable } from "../wire/refusal.js";
import { resultPieces } from "../wire/tool-content.js";
import { adviceOn, api, type Input, type InputContent, isMedia, mediaContent } from "./content.js";

/** Each message is converted once: neutral messages never change. */
const known = new WeakMap<Message, readonly Input[]>();

/** A history as the items of a request. Nothing is kept at the provider, so that no item goes by an id of theirs. */
export const itemsOf = (messages: readonly Message[]): Input[] =>
  messages.flatMap((message, index) => {
    let items = known.get(message);
    if (items === undefined) {
      const sites = message.parts.map((_, at): Site => ({ api, message, index, at }));
      items = message.role === "system" || message.role === "user" ? said(message, sites) : sites.flatMap(itemOf);
      known.set(message, items);
    }
    return items;
  });

/** The message of a user, or of the system, which is text alone. */
function said({ role }: Message, sites: readonly Site[]): readonly Input[] {
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

/** The item of a part of an assistant or a tool; none of what the API would refuse: reasoning that it did not encrypt, or not so. */
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
      return isForeignReasoning(part.value) ? [] : [nativeValue(part.value, site)];
    default:
      throw unsendable(site);
  }
}

/** The result of a tool: text as it always was, and a list of content where there are files. */
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

/** Reasoning without the id that the API has for what it keeps: it takes it so, though the SDK's type wants one. */
const reasoningItem = (content: string, encrypted_content: string): Input =>
  ({
    type: "reasoning",
    summary: content === "" ? [] : [{ type: "summary_text", text: content }],
    encrypted_content,
  }) as Partial<Input> as Input;

/** Whether a message was a comment on the way or the final answer: newer models want to be told again. */
function phaseOf({ native }: { readonly native?: unknown }): { readonly phase?: "commentary" | "final_answer" } {
  const phase = isJson(native) ? native.phase : undefined;
  return phase === "commentary" || phase === "final_answer" ? { phase } : {};
}

/** Encrypted reasoning of Anthropic, in a history that a model of theirs began. */
const isForeignReasoning = (value: unknown): boolean => isJson(value) && value.type === "redacted_thinking";
