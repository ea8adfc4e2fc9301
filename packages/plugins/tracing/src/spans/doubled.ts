import type { Span } from "@opentelemetry/api";

/** A package that instruments the clients of models, where a stack names its file. */
const INSTRUMENTATION =
  /node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]*instrumentation-(?:openai|anthropic|bedrock|vertexai|google-genai|cohere|mistralai|groq|together|langchain|llamaindex)[\w.-]*)[\\/]/;

/** The prefix of instrumentations that `@opentelemetry/auto-instrumentations-node` has switches for. */
const AUTO = "@opentelemetry/instrumentation-";

/** The number of spans that are watched: an instrumentation that is there shows at the first. */
const WATCHED = 10;

/**
 * A watch over the spans of model calls: warns, once, where another instrumentation makes a span of the same call below.
 * The API tells nobody who starts a span. Whoever starts one below asks its parent for its ids, and is on the stack then.
 */
export function doublesWatch(warn: (message: string) => void): (span: Span) => void {
  let left = WATCHED;
  return (span) => {
    if (left <= 0 || !span.isRecording()) return;
    left--;
    const spanContext = span.spanContext.bind(span);
    span.spanContext = () => {
      const found = left < 0 ? undefined : INSTRUMENTATION.exec(new Error().stack ?? "")?.[1];
      if (found !== undefined) {
        left = -1;
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
    : "leave it out where instrumentations are registered";
  return `@suite/tracing: ${name} makes a span of each model call too, with its tokens, below ours: sums count them twice. Switch it off: ${how}.`;
}
