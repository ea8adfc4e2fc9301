import type { AgentRequest, HumanInputRequest, Message, ModelRequest, Part, Reply } from "@suite/core";

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

const messageContent = ({ role, name, parts }: Message): unknown => ({ role, name, parts: parts.map(partContent) });

function partContent(part: Part): unknown {
  if (part.type === "native") return part;
  const { native: _copy, ...rest } = part;
  return rest;
}
