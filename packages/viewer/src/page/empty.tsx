import type { VNode } from "preact";

const openTelemetry = "export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318";
const program = `import { setupTracing } from "@suite/tracing/node";
setupTracing({ serviceName: "my-agent", endpoint: "http://127.0.0.1:4318" });`;

/** What stands where no run is looked at: a problem, or how the first run comes here. */
export function Empty({ problem, waits, isEmpty }: EmptyProps): VNode {
  if (problem !== undefined) {
    return (
      <main class="empty problem">
        <h2>Nothing to show</h2>
        <p>{problem}</p>
      </main>
    );
  }
  if (waits) return <main class="empty quiet">Loading the run…</main>;
  if (!isEmpty) return <main class="empty quiet">Choose a run.</main>;
  return (
    <main class="empty">
      <h2>Waiting for the first run</h2>
      <p>Send traces here by OpenTelemetry's standard variable:</p>
      <pre>{openTelemetry}</pre>
      <p>
        or in the program, beside the plugin <code>tracing()</code>:
      </p>
      <pre>{program}</pre>
    </main>
  );
}

/** The properties of the empty page. */
export interface EmptyProps {
  readonly problem: string | undefined;
  readonly waits: boolean;
  readonly isEmpty: boolean;
}
