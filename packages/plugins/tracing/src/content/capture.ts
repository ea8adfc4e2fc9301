import type { Redactor } from "@suite/core";
import { TracingError } from "../errors.js";
import { ContentWriter } from "./writer.js";

/**
 * How much of what was said is recorded.
 *
 * - `none`: no messages, no arguments, no results.
 * - `redacted`: all of it, through the run's redactor; nothing where there is no redactor.
 * - `full`: all of it; through the redactor where there is one.
 */
export type ContentCapture = "none" | "redacted" | "full";

/** Longest JSON text of one content attribute, in characters, where nothing else is said. */
export const DEFAULT_CONTENT_LIMIT = 64 * 1024;

const VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** What the standard variable asks for; it counts where code says nothing. Content on events is not recorded yet. */
function fromEnvironment(): ContentCapture {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[VARIABLE]?.trim().toLowerCase();
  return value === "true" || value === "span_only" || value === "span_and_event" ? "full" : "none";
}

/** Gives, per span, what writes its content; undefined where nothing is to be recorded. */
export type Capture = (redactor: Redactor | undefined) => ContentWriter | undefined;

/** Settles once what each span then only asks for. `warn` is told once, if content has no redactor. */
export function contentCapture(
  asked: ContentCapture | undefined,
  limit: number | undefined,
  warn: (message: string) => void,
): Capture {
  const mode = asked ?? fromEnvironment();
  if (mode !== "none" && mode !== "redacted" && mode !== "full") {
    throw new TracingError("ERR_INVALID_OPTION", 'tracing({ content }): use "none", "redacted" or "full".');
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 256)) {
    throw new TracingError("ERR_INVALID_OPTION", "tracing({ contentLimit }): use a whole number of at least 256.");
  }
  if (mode === "none") return () => undefined;
  let warned = false;
  return (redactor) => {
    if (redactor === undefined && !warned) {
      warned = true;
      warn(
        mode === "full"
          ? "@suite/tracing: content is captured in full and no plugin offers a redactor: prompts and answers leave as they are. Add @suite/pii, or capture none."
          : '@suite/tracing: content capture is "redacted" and no plugin offers a redactor: no content is captured. Add @suite/pii to the same list of plugins.',
      );
    }
    return redactor === undefined && mode === "redacted"
      ? undefined
      : new ContentWriter(redactor, limit ?? DEFAULT_CONTENT_LIMIT);
  };
}
