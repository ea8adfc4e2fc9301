import { createHash } from "node:crypto";
import type { AgentRequest, Message, ModelRequest, Part, Reply } from "@suite/core";
import type { HumanInputRequest } from "@suite/core/contract";
import { toolContentOf } from "@suite/core/messages";

/**
 * Functions that return the content of requests and answers. `native` is omitted: it is the framework's copy of the
 * same content.
 */

export const agentContent = ({ messages, resume }: AgentRequest): unknown => ({
  messages: messages.map(messageContent),
  ...(resume && { resume: resume.map(partContent) }),
});

export const modelContent = ({ messages, tools, toolChoice, settings }: ModelRequest): unknown => ({
  messages: messages.map(messageContent),
  tools: tools.map(({ name }) => name),
  toolChoice,
  settings,
});

export const questionContent = ({ question, about }: HumanInputRequest): unknown => ({
  question,
  ...(about && { about: partContent(about) }),
});

export const replyContent = ({ message, usage, finishReason, response }: Reply): unknown => ({
  message: messageContent(message),
  usage,
  finishReason,
  response,
});

/** Returns the result of a tool: an object with parts for content, any other value unchanged. */
export function resultContent(result: unknown): unknown {
  const parts = toolContentOf(result);
  return parts === undefined ? result : { content: parts.map(partContent) };
}

const messageContent = ({ role, name, parts }: Message): unknown => ({ role, name, parts: parts.map(partContent) });

function partContent(part: Part): unknown {
  if (part.type === "native") return part;
  if (part.type === "blob") {
    // Redactors cannot read images, recordings or documents, so that their content does not belong in a log.
    const { native: _copy, content, ...rest } = part;
    return { ...rest, content: omittedBytes(content) };
  }
  const { native: _copy, ...rest } = part;
  return "response" in rest ? { ...rest, response: resultContent(rest.response) } : rest;
}

/**
 * Returns a mark in place of bytes: their number, and their SHA-256 as an identifier in the format of RFC 9530. A
 * redactor would sometimes mistake hexadecimal digits for those of a card.
 */
function omittedBytes(base64: string): unknown {
  const bytes = Buffer.from(base64, "base64");
  return {
    leftOut: { bytes: bytes.length, digest: `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:` },
  };
}
