import type { Message } from "@suite/core";
import { AgentError } from "../../errors.js";

/** A part of a request, by where it stands. */
export interface Site {
  readonly api: string;
  readonly message: Message;
  /** The index of the message in the request. */
  readonly index: number;
  /** The index of the part in the message. */
  readonly at: number;
}

const modalities: ReadonlySet<string> = new Set(["image", "video", "audio", "document"]);

/** The error about a part that an API does not take: its type and its place, and nothing of what is in it. */
export function unsendable({ api, message, index, at }: Site, advice = "Leave it out, or put it as text."): AgentError {
  const part = message.parts[at];
  const modality =
    part !== undefined && "modality" in part && modalities.has(part.modality) ? ` (${part.modality})` : "";
  return new AgentError(
    "ERR_AGENT_MODEL_REQUEST",
    `${api} takes no such ${part?.type} part${modality} in a ${message.role} message: messages[${index}].parts[${at}]. ${advice}`,
  );
}

/** A value as the text that a model is given: a string as it is, anything else as JSON. */
export function textOfValue(value: unknown, site: Site): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    throw unsendable(site, "Its value has no JSON form: it has a cycle, or a bigint.");
  }
}

/** A part of the provider's own, verbatim. */
export function nativeValue<T extends object>(value: unknown, site: Site): T {
  if (typeof value === "object" && value !== null) return value as T;
  throw unsendable(site, "A native part carries an object of the API's own.");
}
