import type { Span } from "@opentelemetry/api";

/** Matches the file of a package that instruments model clients in a stack trace. */
const INSTRUMENTATION =
  /node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]*instrumentation-(?:openai|anthropic|bedrock|vertexai|google-genai|cohere|mistralai|groq|together|langchain|llamaindex)[\w.-]*)[\\/]/;

/** The prefix of instrumentations that `@opentelemetry/auto-instrumentations-node` can disable. */
const AUTO = "@opentelemetry/instrumentation-";

/** Number of watched spans. An installed instrumentation appears with the first. */
const WATCHED = 10;

/**
 * Watches the spans of model calls. Warns once if another instrumentation creates a child span of the same call. The
 * API has no event for a started span. But code that starts a child reads the ids of its parent, and is on the stack at
 * that moment.
 */
export function doublesWatch(warn: (message: string) => void): (span: Span) => void {
  let remaining = WATCHED;
  return (span) => {
    if (remaining <= 0 || !span.isRecording()) return;
    remaining--;
    const spanContext = span.spanContext.bind(span);
    span.spanContext = () => {
      const found = remaining < 0 ? undefined : INSTRUMENTATION.exec(new Error().stack ?? "")?.[1];
      if (found !== undefined) {
        remaining = -1;
        warn(warning(found.replaceAll("\\", "/")));
      }
      return spanContext();
    };
  };
}

function warning(name: string): string {
  const known = name.startsWith(AUTO);
  const how = known
    ? `getNodeAutoInstrumentations({ "${name}": { enabled: false } }), or OTEL_NODE_DISABLED_INSTRUMENTATIONS=${name.slice(AUTO.length)}`
    : "remove it where instrumentations are registered";
  return `@suite/tracing: ${name} also creates a span with token counts for each model call, so sums count them twice. Turn it off: ${how}.`;
}
