import type { VNode } from "preact";
import { date, plural, tokens } from "../run/format.js";
import { runOfSpans } from "../run/joined.js";
import type { Span } from "../run/span.js";
import { permalink } from "./api.js";
import { Copy } from "./copy.js";
import { Header, Summary } from "./header.js";
import { hashOf } from "./route.js";
import { Timeline } from "./timeline.js";

/** The properties of the view of a session. */
export interface SessionViewProps {
  readonly session: string;
  readonly spans: readonly Span[];
}

/** A session: all runs of a conversation in one waterfall. A span links to its run. */
export function SessionView({ session, spans }: SessionViewProps): VNode {
  const { start, inputTokens, outputTokens, traces = [""] } = runOfSpans("", spans);
  return (
    <main class="run">
      <Header title={`Session ${session}`}>
        <span class="actions">
          <Copy text={() => permalink(hashOf({ page: "session", session }))}>Copy link</Copy>
          <Copy text={() => JSON.stringify(spans, undefined, 2)}>Copy as JSON</Copy>
        </span>
      </Header>
      <Summary
        facts={[
          ["started", date(start)],
          ["traces", plural(traces.length, "trace")],
          ["tokens", `${tokens(inputTokens)} in, ${tokens(outputTokens)} out`],
        ]}
      />
      <Timeline spans={spans} selected={undefined} />
    </main>
  );
}
