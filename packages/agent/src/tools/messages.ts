import { MiddlewareTermination, type ToolCallResponsePart, toolCallResponse } from "@suite/core";
import { AgentError } from "../errors.js";

const maxLength = 300;

/**
 * The response that tells the model of a call that failed: one short line, never a stack trace. The error itself goes to spans,
 * records and `observe`, which is where its owner looks for it.
 */
export function failureFor(id: string, name: string, error: unknown): ToolCallResponsePart {
  return toolCallResponse(id, sentence(name, error), { isError: true });
}

function sentence(name: string, error: unknown): string {
  const said = firstLine(error);
  if (AgentError.is(error)) return said;
  if (MiddlewareTermination.is(error)) return `The call of ${name} was stopped: ${said}`;
  return said === "" ? `${name} failed.` : `${name} failed: ${said}`;
}

/** Anything can be thrown, also what throws when it is looked at. */
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

/** The complaint that a refused call gives to the model. */
export const rejected = (name: string, message: string | undefined): AgentError =>
  new AgentError(
    "ERR_AGENT_TOOL_REJECTED",
    `A person refused this call of ${name}; it was not run.${message === undefined ? "" : ` They say: ${message}`}`,
  );
