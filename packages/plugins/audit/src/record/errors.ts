import type { ContentLevel } from "./policy.js";
import type { RecordedError } from "./record.js";

const name = /^[A-Za-z_$][\w$.-]{0,99}$/;
const MAX_MESSAGE = 16 * 1024;

/** The part of something thrown, whatever it is, that may be told. The message is content; a stack is never told. */
export function recordedError(thrown: unknown, level: ContentLevel): RecordedError {
  try {
    return read(thrown, level);
  } catch {
    return { type: "unreadable" };
  }
}

function read(thrown: unknown, level: ContentLevel): RecordedError {
  if (typeof thrown !== "object" || thrown === null) {
    return { type: typeof thrown, ...(typeof thrown === "string" && messageOf(thrown, level)) };
  }
  const error = thrown as { name?: unknown; code?: unknown; message?: unknown };
  const { code } = error;
  const known = typeof code === "number" ? Number.isFinite(code) : typeof code === "string" && name.test(code);
  return {
    type: typeof error.name === "string" && name.test(error.name) ? error.name : "Error",
    ...(known && { code: code as string | number }),
    ...(typeof error.message === "string" && messageOf(error.message, level)),
  };
}

/** The text of an error, never cut: half of an address would pass a redactor that knows the whole one. */
function messageOf(message: string, level: ContentLevel): { message?: string } {
  if (level === "none" || level === "metadata") return {};
  return { message: message.length > MAX_MESSAGE ? `[${message.length} characters left out]` : message };
}
