import type { Message } from "@suite/core";
import type OpenAI from "openai";
import { nativeValue, type Site, textOfValue, unsendable } from "../wire/refusal.js";
import { api, type TextContent, textContent, userContent } from "./content.js";

type Param = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Call = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

/**
 * Converts histories, each message once: neutral messages never change.
 *
 * @param sendReasoning whether reasoning goes back as `reasoning_content`.
 */
export function messageConverter(sendReasoning: boolean): (messages: readonly Message[]) => Param[] {
  const known = new WeakMap<Message, readonly Param[]>();
  const convert = (message: Message, index: number): readonly Param[] => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const params = paramsOf(message, index, sendReasoning);
    known.set(message, params);
    return params;
  };
  return (messages) => messages.flatMap(convert);
}

function paramsOf(message: Message, index: number, sendReasoning: boolean): readonly Param[] {
  const sites: readonly Site[] = message.parts.map((_, at) => ({ api, message, index, at }));
  const named = message.name === undefined ? undefined : { name: message.name };
  switch (message.role) {
    case "system":
      return [{ role: "system", content: brief(sites.map(textContent)), ...named }];
    case "user":
      return [{ role: "user", content: brief(sites.map(userContent)), ...named }];
    case "assistant":
      return [{ ...assistant(sites, sendReasoning), ...named }];
    case "tool":
      return sites.map(toolMessage);
  }
}

/** One text as a string: not every compatible server takes a list. */
function brief<T extends { readonly type: string }>(content: T[]): string | (T | TextContent)[] {
  const [first] = content;
  if (first === undefined) return "";
  return content.length === 1 && first.type === "text" && "text" in first ? String(first.text) : content;
}

function assistant(sites: readonly Site[], sendReasoning: boolean): Param & { role: "assistant" } {
  const content: TextContent[] = [];
  const calls: Call[] = [];
  let reasoning = "";
  for (const site of sites) {
    const part = site.message.parts[site.at];
    if (part?.type === "tool_call") {
      const json = part.arguments === undefined ? "{}" : textOfValue(part.arguments, site);
      calls.push({ id: part.id, type: "function", function: { name: part.name, arguments: json } });
    } else if (part?.type === "reasoning") reasoning += part.content;
    else if (!isForeignReasoning(site)) content.push(textContent(site));
  }
  return {
    role: "assistant",
    content: content.length === 0 && calls.length > 0 ? null : brief(content),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(sendReasoning && reasoning !== "" && { reasoning_content: reasoning }),
  };
}

/** Encrypted reasoning of Anthropic, in a history that a model of theirs began. */
function isForeignReasoning({ message, at }: Site): boolean {
  const part = message.parts[at];
  const value = part?.type === "native" ? part.value : undefined;
  return typeof value === "object" && value !== null && "type" in value && value.type === "redacted_thinking";
}

/** The API has no mark for a tool that failed: its message says so. */
function toolMessage(site: Site): Param {
  const part = site.message.parts[site.at];
  if (part?.type === "native") return nativeValue(part.value, site);
  if (part?.type !== "tool_call_response") throw unsendable(site, "Answers of tools are tool_call_response parts.");
  return { role: "tool", tool_call_id: part.id, content: textOfValue(part.response, site) };
}
