import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";

/**
 * The content mode: how much message content is logged.
 *
 * - `none`: no messages, arguments, results or error messages.
 * - `redacted`: all content, redacted by the run's redactors. Nothing if the run has no redactor.
 * - `full`: all content, redacted if the run has redactors.
 */
export type Content = "none" | "redacted" | "full";

/** Converts content to a redacted, truncated string. Returns `undefined` if there is nothing to log. */
export type WriteContent = (value: unknown) => string | undefined;

/** Returns the content writer of a run, or `undefined` if the mode logs no content. */
export function writerOf(content: Content, limit: number, runtime: RuntimeContext): WriteContent | undefined {
  if (content === "none") return undefined;
  const redactor = redactorOf(runtime);
  if (redactor === undefined && content === "redacted") return undefined;
  return (value) => write(value, limit, redactor);
}

function write(value: unknown, limit: number, redactor: Redactor | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const text =
      typeof value === "string" ? value : JSON.stringify(redactor === undefined ? value : redactor.value(value));
    if (text === undefined) return undefined;
    const clean = typeof value === "string" && redactor !== undefined ? redactor.redact(text) : text;
    return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
  } catch {
    return "[content that is not JSON]";
  }
}
