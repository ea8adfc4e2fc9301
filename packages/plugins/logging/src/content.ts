import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";

/**
 * The content mode: how much of what was said is logged.
 *
 * - `none`: no messages, no arguments, no results, no error messages.
 * - `redacted`: all of it, through the run's redactors; nothing where there is none.
 * - `full`: all of it; through the redactors where there are some.
 */
export type Content = "none" | "redacted" | "full";

/** Content as text: redacted, then cut. Undefined where none is to be logged. */
export type WriteContent = (value: unknown) => string | undefined;

/** The writer of a run's content, in a mode. */
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
