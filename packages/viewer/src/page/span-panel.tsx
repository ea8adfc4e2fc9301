import type { VNode } from "preact";
import { date, duration, formatValue, named } from "../run/format.js";
import type { Attributes, Span } from "../run/span.js";
import { Copy } from "./copy.js";
import { Marked } from "./marked.js";
import { runHash } from "./route.js";

/** All data of one span: attributes, events, links, resource. */
export function SpanPanel({ span, onClose }: { readonly span: Span; readonly onClose: () => void }): VNode {
  const facts: Attributes = {
    start: date(span.start),
    duration: duration(span.end - span.start),
    status: span.statusMessage === undefined ? span.status : `${span.status}: ${span.statusMessage}`,
    "span id": span.spanId,
    ...(span.parentSpanId !== undefined && { "parent span id": span.parentSpanId }),
    instrumentation: span.scope,
  };
  return (
    <aside class="panel" aria-label="Span">
      <header>
        <h2>{named(span.name)}</h2>
        <Copy text={() => JSON.stringify(span, undefined, 2)}>Copy as JSON</Copy>
        <button type="button" onClick={onClose} aria-label="Close the span">
          ×
        </button>
      </header>
      <Facts title="Span" facts={facts} />
      <Facts title="Attributes" facts={span.attributes} />
      {span.events.map((event, index) => (
        <Facts
          key={index}
          title={`Event: ${event.name}, at ${duration(event.time - span.start)}`}
          facts={event.attributes}
        />
      ))}
      {span.links.map((link, index) => (
        <section key={index}>
          <h3>Link</h3>
          <p>
            <a href={runHash(link.traceId, link.spanId)}>span {link.spanId}</a> of run {link.traceId}
          </p>
          <FactList entries={Object.entries(link.attributes)} />
        </section>
      ))}
      <Facts title="Resource" facts={span.resource} />
    </aside>
  );
}

function Facts({ title, facts }: { readonly title: string; readonly facts: Attributes }): VNode | null {
  const entries = Object.entries(facts).sort(([a], [b]) => (title === "Span" ? 0 : a < b ? -1 : 1));
  return (
    <section>
      <h3>{title}</h3>
      {entries.length === 0 ? <p class="quiet">Nothing.</p> : <FactList entries={entries} />}
    </section>
  );
}

function FactList({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }): VNode | null {
  if (entries.length === 0) return null;
  return (
    <dl>
      {entries.map(([key, value]) => (
        <Fact key={key} name={key} text={formatValue(value)} />
      ))}
    </dl>
  );
}

/** The fewest lines, and characters of a line in the narrowest panel, of a value that may need to be scrolled. */
const [mostLines, shortestLine] = [12, 25];

function Fact({ name, text }: { readonly name: string; readonly text: string }): VNode {
  const lines = text.split("\n").length + text.length / shortestLine;
  return (
    <div>
      <dt>{name}</dt>
      <dd {...(lines > mostLines && { tabIndex: 0 })}>
        <Marked text={text} />
      </dd>
    </div>
  );
}
