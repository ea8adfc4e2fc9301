import type { ComponentChildren, VNode } from "preact";
import { count, date, duration, money, named, plural, tokens } from "../run/format.js";
import { runOfSpans } from "../run/joined.js";
import type { Span } from "../run/span.js";
import { features, permalink } from "./api.js";
import { AuditView } from "./audit-view.js";
import { Conversation } from "./conversation.js";
import { Copy } from "./copy.js";
import { Header, Summary } from "./header.js";
import { go, hashOf, type RunRoute, views } from "./route.js";
import { State } from "./runs-list.js";
import { SpanPanel } from "./span-panel.js";
import { Timeline } from "./timeline.js";

const titles = { timeline: "Timeline", conversation: "Conversation", audit: "Audit" } as const;

/** The longest session id that is linked to its view: servers accept addresses of a few thousand bytes. */
const LONGEST_SESSION = 1000;

/** The properties of the view of one run. */
export interface RunViewProps {
  readonly route: RunRoute;
  readonly spans: readonly Span[];
}

/** One run: its facts, its waterfall or its conversation, and the selected span. */
export function RunView({ route, spans }: RunViewProps): VNode {
  const run = runOfSpans(route.run, spans);
  const found = spans.filter(({ spanId }) => spanId === route.span);
  const span = found.find(({ traceId }) => traceId === route.run) ?? found[0];
  const facts: readonly [string, ComponentChildren][] = [
    ["started", date(run.start)],
    ["took", duration(run.end - run.start)],
    ["tokens", `${tokens(run.inputTokens)} in, ${tokens(run.outputTokens)} out`],
    ["cost", run.cost === undefined ? undefined : money(run.cost)],
    ["models", run.models.join(", ") || undefined],
    ["traces", run.traces === undefined ? undefined : count(run.traces.length)],
    [
      "session",
      run.sessionId === undefined || run.sessionId.length > LONGEST_SESSION ? (
        run.sessionId
      ) : (
        <a href={hashOf({ page: "session", session: run.sessionId })}>{run.sessionId}</a>
      ),
    ],
    ["user", run.userId],
    ["service", run.service],
    ["decisions", run.decisions > 0 ? plural(run.decisions, "decision") : undefined],
  ];
  return (
    <main class={span === undefined ? "run" : "run with-panel"}>
      <Header
        title={
          <>
            {named(run.name)} <State run={run} />
          </>
        }
      >
        <span class="actions">
          <a class="button" href={hashOf({ page: "compare", run: route.run })}>
            Compare
          </a>
          <Copy text={() => permalink(hashOf(route))}>Copy link</Copy>
          <Copy text={() => JSON.stringify({ run, spans }, undefined, 2)}>Copy as JSON</Copy>
        </span>
      </Header>
      <Summary facts={facts} />
      <div class="views">
        {views
          .filter((view) => view !== "audit" || features.audit)
          .map((view) => (
            <a
              key={view}
              href={hashOf({ page: "run", run: route.run, view })}
              aria-current={route.view === view ? "page" : undefined}
            >
              {titles[view]}
            </a>
          ))}
      </div>
      {route.view === "timeline" && <Timeline traceId={route.run} spans={spans} selected={route.span} />}
      {route.view === "conversation" && <Conversation run={route.run} spans={spans} />}
      {route.view === "audit" && <AuditView traceId={route.run} spans={spans} />}
      {span !== undefined && (
        <SpanPanel span={span} onClose={() => go({ page: "run", run: route.run, view: "timeline" })} />
      )}
    </main>
  );
}
