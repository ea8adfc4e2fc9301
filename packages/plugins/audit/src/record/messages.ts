import { createHash } from "node:crypto";
import {
  type AgentRequest,
  type HumanInputRequest,
  type Message,
  type ModelRequest,
  type Part,
  type Reply,
  toolContentOf,
} from "@suite/core";

/** Readings of requests and answers as content. What `native` holds is the framework's copy of the same. */

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

/** The result of a tool: its content as parts of a message are told, and any other value as it is. */
export function resultContent(result: unknown): unknown {
  const parts = toolContentOf(result);
  return parts === undefined ? result : { content: parts.map(partContent) };
}

const messageContent = ({ role, name, parts }: Message): unknown => ({ role, name, parts: parts.map(partContent) });

function partContent(part: Part): unknown {
  if (part.type === "native") return part;
  if (part.type === "blob") {
    // No redactor looks into an image, a recording or a document: what they show does not belong in a log.
    const { native: _copy, content, ...rest } = part;
    return { ...rest, content: leftOut(content) };
  }
  const { native: _copy, ...rest } = part;
  return "response" in rest ? { ...rest, response: resultContent(rest.response) } : rest;
}

/**
 * The mark in the place of bytes: how many there are, and their SHA-256, by which they are known again, as RFC 9530 has
 * it. In hexadecimal a redactor would now and then take some of its digits for a card's.
 */
function leftOut(base64: string): unknown {
  const bytes = Buffer.from(base64, "base64");
  return {
    leftOut: { bytes: bytes.length, digest: `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:` },
  };
}
