import type { Redactor } from "@suite/core";
import { variable } from "../environment.js";
import { TracingError } from "../errors.js";
import { ContentWriter } from "./writer.js";

/**
 * The content that is recorded.
 *
 * - `none`: no messages, no arguments, no results.
 * - `redacted`: all content, through the run's redactor. Nothing is recorded without a redactor.
 * - `full`: all content, through the redactor if there is one.
 */
export type ContentCapture = "none" | "redacted" | "full";

/** Default maximum length of the JSON of one content attribute, in characters. */
export const DEFAULT_CONTENT_LIMIT = 64 * 1024;

const VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** The content mode, and the signals that content is recorded on. */
interface CaptureChoice {
  readonly mode: ContentCapture;
  readonly spans: boolean;
  readonly events: boolean;
  /** True if content on events was requested explicitly. Then the events are emitted too. */
  readonly requestsEvents: boolean;
}

/** The content mode of the option applies to spans and events. */
const everywhere = (mode: ContentCapture): CaptureChoice => ({
  mode,
  spans: true,
  events: true,
  requestsEvents: false,
});

/** The content mode of the standard variable. Used only if the option is not set. */
function fromEnvironment(): CaptureChoice {
  switch (variable(VARIABLE)) {
    case "true":
      return everywhere("full");
    case "span_only":
      return { mode: "full", spans: true, events: false, requestsEvents: false };
    case "event_only":
      return { mode: "full", spans: false, events: true, requestsEvents: true };
    case "span_and_event":
      return { mode: "full", spans: true, events: true, requestsEvents: true };
    default:
      return everywhere("none");
  }
}

/** Creates the writer for the content of a span or event. Returns `undefined` if no content is to be recorded. */
export type Capture = (redactor: Redactor | undefined) => ContentWriter | undefined;

/** The capture of content, by signal. */
export interface ContentCaptures {
  readonly onSpans: Capture;
  /** The capture on `gen_ai.client.inference.operation.details`, if that event is emitted. */
  readonly onEvents: Capture;
  /** True if that event is to be emitted because content on events was requested. */
  readonly requestsEvents: boolean;
}

/** Resolves the content options once. Calls `warn` once if content is captured without a redactor. */
export function contentCapture(
  option: ContentCapture | undefined,
  limit: number | undefined,
  warn: (message: string) => void,
): ContentCaptures {
  const { mode, spans, events, requestsEvents } = option === undefined ? fromEnvironment() : everywhere(option);
  if (mode !== "none" && mode !== "redacted" && mode !== "full") {
    throw new TracingError("ERR_TRACING_INVALID_OPTION", 'tracing({ content }): use "none", "redacted" or "full".');
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 256)) {
    throw new TracingError("ERR_TRACING_INVALID_OPTION", "tracing({ contentLimit }): use an integer of at least 256.");
  }
  if (mode === "none") return { onSpans: nothing, onEvents: nothing, requestsEvents };
  let warned = false;
  const capture: Capture = (redactor) => {
    if (redactor === undefined && !warned) {
      warned = true;
      warn(
        mode === "full"
          ? "@suite/tracing: content is captured in full, but no plugin provides a redactor: prompts and answers are sent unredacted. Add @suite/pii, or disable capture."
          : '@suite/tracing: content capture is "redacted" and no plugin offers a redactor: no content is captured. Add @suite/pii to the same list of plugins.',
      );
    }
    return redactor === undefined && mode === "redacted"
      ? undefined
      : new ContentWriter(redactor, limit ?? DEFAULT_CONTENT_LIMIT);
  };
  return { onSpans: spans ? capture : nothing, onEvents: events ? capture : nothing, requestsEvents };
}

const nothing: Capture = () => undefined;
