import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import { features } from "./api.js";
import { Copy } from "./copy.js";
import { type FirstLines, frameworks } from "./first-lines.js";

const keys = [
  ["j k", "the next run, the one before"],
  ["/", "search in all messages"],
  ["Esc", "back"],
] as const;

const searches = [
  ["refund", "a word, anywhere in a run"],
  ['"no such order"', "a phrase"],
  ["agent:desk", "also session:, user:, service:, model:"],
  ["is:error", "also is:open, is:waits, is:failed, is:decided"],
] as const;

/** The page without a selected run: a problem, or instructions for the first run. */
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
  if (isEmpty) return <FirstRun />;
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
      <h2>To search for</h2>
      <dl class="keys">
        {searches.map(([query, finds]) => (
          <Fragment key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{finds}</dd>
          </Fragment>
        ))}
      </dl>
    </main>
  );
}

/** Instructions for the first run: the two lines for each framework, or the variable of OpenTelemetry. */
function FirstRun(): VNode {
  const [chosen, choose] = useState<FirstLines | undefined>(frameworks[0]);
  return (
    <main class="empty">
      <h1>Waiting for the first run</h1>
      <p>Two lines send the traces of an agent here:</p>
      <fieldset class="choice" aria-label="Framework">
        {[...frameworks, undefined].map((each) => (
          <button key={each?.title} type="button" aria-pressed={each === chosen} onClick={() => choose(each)}>
            {each?.title ?? "OpenTelemetry"}
          </button>
        ))}
      </fieldset>
      {chosen === undefined ? <Variable /> : <Lines {...chosen} />}
    </main>
  );
}

function Lines({ packages, imports, lines }: FirstLines): VNode {
  const code = lines(features.endpoint);
  return (
    <>
      <pre>
        <span class="faint">{imports}</span>
        {`\n\n${code}`}
      </pre>
      <p class="actions">
        <Copy text={() => `${imports}\n\n${code}\n`}>Copy</Copy>
      </p>
      <p>
        The packages: <code>npm install {packages.join(" ")}</code>. Both at once, shown before they are written:{" "}
        <code>npx @suite/cli init</code>
      </p>
      <p class="quiet">
        <code>tracing({'{ content: "redacted" }'})</code> records messages as well, through the redactor of{" "}
        <code>@suite/pii</code>.
      </p>
    </>
  );
}

/** The variable of OpenTelemetry, for any program that already creates spans. */
function Variable(): VNode {
  const line = `export OTEL_EXPORTER_OTLP_ENDPOINT=${features.endpoint}`;
  return (
    <>
      <pre>{line}</pre>
      <p class="actions">
        <Copy text={() => `${line}\n`}>Copy</Copy>
      </p>
      <p>
        For a program that makes spans already, in any language. <code>npx @suite/viewer -- COMMAND</code> sets it.
      </p>
    </>
  );
}

/** The properties of the empty page. */
export interface EmptyProps {
  readonly problem: string | undefined;
  readonly waits: boolean;
  readonly isEmpty: boolean;
  /** True if a second run is to be chosen. */
  readonly isChoosing: boolean;
}
