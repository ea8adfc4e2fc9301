import type { VNode } from "preact";
import { decisionsOf, isModelCall } from "../run/run.js";
import { numberAt, operationOf, type Span } from "../run/span.js";
import { type Row, rowsOf } from "../run/tree.js";
import { duration, named, plural } from "./format.js";
import { hashOf } from "./route.js";

/** The spans of a run as a waterfall: a row each, with its bar where it stands in time. */
export function Timeline({ traceId, spans, selected }: TimelineProps): VNode {
  const rows = rowsOf(spans);
  const start = spans.reduce((earliest, span) => Math.min(earliest, span.start), Number.POSITIVE_INFINITY);
  const end = spans.reduce((latest, span) => Math.max(latest, span.end), 0);
  const whole = Math.max(end - start, 0.001);
  return (
    <div class="timeline">
      <div class="scale quiet" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{duration(whole * share)}</span>
        ))}
      </div>
      <ol>
        {rows.map((row) => (
          <li key={row.span.spanId}>
            <SpanRow row={row} traceId={traceId} start={start} whole={whole} selected={row.span.spanId === selected} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The properties of the waterfall. */
export interface TimelineProps {
  readonly traceId: string;
  readonly spans: readonly Span[];
  readonly selected: string | undefined;
}

interface RowProps {
  readonly row: Row;
  readonly traceId: string;
  readonly start: number;
  readonly whole: number;
  readonly selected: boolean;
}

function SpanRow({ row: { span, depth }, traceId, start, whole, selected }: RowProps): VNode {
  const left = ((span.start - start) / whole) * 100;
  const width = ((span.end - span.start) / whole) * 100;
  const first = firstChunkOf(span);
  const decisions = decisionsOf(span).length;
  return (
    <a
      href={hashOf({ run: traceId, view: "timeline", span: span.spanId })}
      aria-current={selected ? "true" : undefined}
      class={`row ${kindOf(span)}${span.status === "error" ? " failed" : ""}`}
    >
      <span class="name" style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.9}rem` }}>
        <span class="dot" aria-hidden="true" />
        <span class="text">{named(span.name)}</span>
        {span.links.length > 0 && <span class="chip">linked</span>}
        {decisions > 0 && <span class="chip waits">{plural(decisions, "decision")}</span>}
        {span.status === "error" && <span class="chip error">error</span>}
      </span>
      <span class="track">
        <span class="bar" style={{ left: `${left}%`, width: `max(${width}%, 2px)` }} />
        {first !== undefined && (
          <span class="first" style={{ left: `${left + (first / whole) * 100}%` }} title="first chunk" />
        )}
      </span>
      <span class="time">{duration(span.end - span.start)}</span>
    </a>
  );
}

/** Milliseconds to the first chunk of an answer, as the conventions have it, in seconds. */
function firstChunkOf({ attributes }: Span): number | undefined {
  const seconds = numberAt(attributes, "gen_ai.response.time_to_first_chunk");
  return seconds > 0 ? seconds * 1000 : undefined;
}

const agents: ReadonlySet<string> = new Set(["invoke_agent", "invoke_workflow", "create_agent", "plan"]);

/** The kind of a span, by which it is coloured. */
function kindOf(span: Span): "model" | "tool" | "agent" | "other" {
  if (isModelCall(span)) return "model";
  const operation = operationOf(span);
  if (operation === "execute_tool") return "tool";
  return agents.has(operation ?? "") ? "agent" : "other";
}
