import type { SpanExporter } from "@opentelemetry/sdk-trace-node";

/** Tells once that spans do not arrive: the SDK keeps it to itself unless a logger is set. The program goes on either way. */
export function warningExporter(exporter: SpanExporter, url: string, warn: (message: string) => void): SpanExporter {
  let warned = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !warned) {
          warned = true;
          warn(
            `@suite/tracing: spans could not be sent to ${url}. They are lost until it answers; the program goes on.`,
          );
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    async forceFlush() {
      await exporter.forceFlush?.();
    },
  };
}
