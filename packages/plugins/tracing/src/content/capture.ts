import type { Redactor } from "@suite/core";
import { variable } from "../environment.js";
import { TracingError } from "../errors.js";
import { ContentWriter } from "./writer.js";

/**
 * The amount of what was said that is recorded.
 *
 * - `none`: no messages, no arguments, no results.
 * - `redacted`: all of it, through the run's redactor; nothing where there is no redactor.
 * - `full`: all of it; through the redactor where there is one.
 */
export type ContentCapture = "none" | "redacted" | "full";

/** Longest JSON text of one content attribute, in characters, where nothing else is said. */
export const DEFAULT_CONTENT_LIMIT = 64 * 1024;

const VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** The content mode, and where content goes. */
interface Asked {
  readonly mode: ContentCapture;
  readonly spans: boolean;
  readonly events: boolean;
  /** Content on events is asked for by name, and so are the events. */
  readonly asksForEvents: boolean;
}

/** The content mode that code asks for goes to spans and events. */
const everywhere = (mode: ContentCapture): Asked => ({ mode, spans: true, events: true, asksForEvents: false });

/** The content mode of the standard variable; it counts where code says nothing. */
function fromEnvironment(): Asked {
  switch (variable(VARIABLE)) {
    case "true":
      return everywhere("full");
    case "span_only":
      return { mode: "full", spans: true, events: false, asksForEvents: false };
    case "event_only":
      return { mode: "full", spans: false, events: true, asksForEvents: true };
    case "span_and_event":
      return { mode: "full", spans: true, events: true, asksForEvents: true };
    default:
      return everywhere("none");
  }
}

/** Gives, per span or event, what writes its content; undefined where nothing is to be recorded. */
export type Capture = (redactor: Redactor | undefined) => ContentWriter | undefined;

/** The capture of content, by where it goes. */
export interface ContentCaptures {
  readonly onSpans: Capture;
  /** The capture on `gen_ai.client.inference.operation.details`, where that is emitted. */
  readonly onEvents: Capture;
  /** Whether that event is to be emitted for the content's sake. */
  readonly asksForEvents: boolean;
}

/** Settles once what each span then only asks for. `warn` is told once, if content has no redactor. */
export function contentCapture(
  asked: ContentCapture | undefined,
  limit: number | undefined,
  warn: (message: string) => void,
): ContentCaptures {
  const { mode, spans, events, asksForEvents } = asked === undefined ? fromEnvironment() : everywhere(asked);
  if (mode !== "none" && mode !== "redacted" && mode !== "full") {
    throw new TracingError("ERR_TRACING_INVALID_OPTION", 'tracing({ content }): use "none", "redacted" or "full".');
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 256)) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      "tracing({ contentLimit }): use a whole number of at least 256.",
    );
  }
  if (mode === "none") return { onSpans: nothing, onEvents: nothing, asksForEvents };
  let warned = false;
  const capture: Capture = (redactor) => {
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
  return { onSpans: spans ? capture : nothing, onEvents: events ? capture : nothing, asksForEvents };
}

const nothing: Capture = () => undefined;
