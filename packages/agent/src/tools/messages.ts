import { MiddlewareTermination, toolCallResponse } from "@suite/core";
import type { ToolCallResponsePart } from "@suite/core/messages";
import { AgentError } from "../errors.js";

const maxLength = 300;

/**
 * Returns the response to the model for a failed call: one short line, never a stack trace. Spans, records and
 * `observe` receive the error.
 */
export function failureFor(id: string, name: string, error: unknown): ToolCallResponsePart {
  return toolCallResponse(id, sentence(name, error), { isError: true });
}

function sentence(name: string, error: unknown): string {
  const text = firstLine(error);
  if (AgentError.is(error)) return text;
  if (MiddlewareTermination.is(error)) return `The call of ${name} was stopped: ${text}`;
  return text === "" ? `${name} failed.` : `${name} failed: ${text}`;
}

/** Returns the message of a thrown value. Reading it may throw, because any value can be thrown. */
function messageOf(error: unknown): unknown {
  try {
    return typeof error === "object" && error !== null && "message" in error ? error.message : error;
  } catch {
    return undefined;
  }
}

function firstLine(error: unknown): string {
  const message = messageOf(error);
  if (typeof message !== "string") return "";
  const [line = ""] = message.split(/[\r\n]/, 1);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

/** Creates the error that the model receives for a rejected call. */
export const rejected = (name: string, message: string | undefined): AgentError =>
  new AgentError(
    "ERR_AGENT_TOOL_REJECTED",
    `A person refused this call of ${name}; it was not run.${message === undefined ? "" : ` They say: ${message}`}`,
  );
