import type { VNode } from "preact";
import { runOf } from "../run/run.js";
import type { Span } from "../run/span.js";
import { permalink } from "./api.js";
import { Conversation } from "./conversation.js";
import { Copy } from "./copy.js";
import { date, duration, named, plural } from "./format.js";
import { go, hashOf, type Route } from "./route.js";
import { State } from "./runs-list.js";
import { SpanPanel } from "./span-panel.js";
import { Timeline } from "./timeline.js";

/** The properties of the view of one run. */
export interface RunViewProps {
  readonly route: Route & { readonly run: string };
  readonly spans: readonly Span[];
}

/** One run: what it was and took, its waterfall or its conversation, and the span that is looked at. */
export function RunView({ route, spans }: RunViewProps): VNode {
  const run = runOf(route.run, spans);
  const span = spans.find(({ spanId }) => spanId === route.span);
  const facts: readonly [string, string | undefined][] = [
    ["started", date(run.start)],
    ["took", duration(run.end - run.start)],
    ["tokens", `${run.inputTokens} in, ${run.outputTokens} out`],
    ["models", run.models.join(", ") || undefined],
    ["session", run.sessionId],
    ["user", run.userId],
    ["service", run.service],
    ["decisions", run.decisions > 0 ? plural(run.decisions, "decision") : undefined],
  ];
  return (
    <main class={span === undefined ? "run" : "run with-panel"}>
      <header>
        <a class="back" href="#/">
          Runs
        </a>
        <h2>
          {named(run.name)} <State run={run} />
        </h2>
        <span class="actions">
          <Copy text={() => permalink(hashOf(route))}>Copy link</Copy>
          <Copy text={() => JSON.stringify({ run, spans }, undefined, 2)}>Copy as JSON</Copy>
        </span>
      </header>
      <dl class="facts">
        {facts.map(([key, value]) =>
          value === undefined ? null : (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <div class="views">
        {(["timeline", "conversation"] as const).map((view) => (
          <a key={view} href={hashOf({ run: route.run, view })} aria-current={route.view === view ? "page" : undefined}>
            {view === "timeline" ? "Timeline" : "Conversation"}
          </a>
        ))}
      </div>
      {route.view === "timeline" ? (
        <Timeline traceId={route.run} spans={spans} selected={route.span} />
      ) : (
        <Conversation spans={spans} />
      )}
      {span !== undefined && <SpanPanel span={span} onClose={() => go({ run: route.run, view: "timeline" })} />}
    </main>
  );
}
