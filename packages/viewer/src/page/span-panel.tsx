import type { VNode } from "preact";
import type { Attributes, Span } from "../run/span.js";
import { Copy } from "./copy.js";
import { date, duration, named, shown } from "./format.js";
import { Marked } from "./marked.js";
import { hashOf } from "./route.js";

/** All that one span has: attributes, events, links, resource. */
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
        <h3>{named(span.name)}</h3>
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
      {span.links.map((link) => (
        <section key={link.spanId}>
          <h4>Link</h4>
          <p>
            <a href={hashOf({ run: link.traceId, view: "timeline", span: link.spanId })}>span {link.spanId}</a> of run{" "}
            {link.traceId}
          </p>
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
      <h4>{title}</h4>
      {entries.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <dl>
          {entries.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>
                <Marked text={shown(value)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
