import { Fragment, type VNode } from "preact";

const openTelemetry = "export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318";
const program = `import { setupTracing } from "@suite/tracing/node";
setupTracing({ serviceName: "my-agent", endpoint: "http://127.0.0.1:4318" });`;

const keys = [
  ["j k", "the next run, the one before"],
  ["/", "search in everything that was said"],
  ["Esc", "back"],
] as const;

/** The page where no run is looked at: a problem, or how the first run comes here. */
export function Empty({ problem, waits, isEmpty, isChoosing }: EmptyProps): VNode {
  if (problem !== undefined) {
    return (
      <main class="empty problem">
        <h1>Nothing to show</h1>
        <p>{problem}</p>
      </main>
    );
  }
  if (waits) return <main class="empty quiet">Loading the run…</main>;
  if (isChoosing) return <main class="empty quiet">Choose the run to compare with, in the list.</main>;
  if (!isEmpty) {
    return (
      <main class="empty">
        <h1>Choose a run</h1>
        <dl class="keys">
          {keys.map(([key, does]) => (
            <Fragment key={key}>
              <dt>{key.split(" ").map((each) => [<kbd key={each}>{each}</kbd>, " "])}</dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
      </main>
    );
  }
  return (
    <main class="empty">
      <h1>Waiting for the first run</h1>
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
  /** Whether a second run is to be chosen. */
  readonly isChoosing: boolean;
}
