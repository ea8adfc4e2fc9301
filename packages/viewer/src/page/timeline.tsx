import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { operationOf } from "../run/aliases.js";
import { decisionsOf } from "../run/decision.js";
import { duration, formatValue, named, plural } from "../run/format.js";
import { firstChunkOf } from "../run/metrics.js";
import { isModelCall } from "../run/run.js";
import { numberAt, type Span, textAt } from "../run/span.js";
import { type TimeScale, timeScaleOf } from "../run/time-scale.js";
import { type Row, rowsOf } from "../run/tree.js";
import { runHash } from "./route.js";

/** The spans of a run as a waterfall. It is rendered again only if they changed, since there may be thousands. */
export function Timeline(props: TimelineProps): VNode {
  const { traceId, spans, selected, totalDuration } = props;
  return useMemo(() => <Waterfall {...props} />, [traceId, spans, selected, totalDuration]);
}

/** The waterfall: a row for each span, with its bar on the time scale. */
function Waterfall({ traceId, spans, selected, totalDuration = 0 }: TimelineProps): VNode {
  const rows = rowsOf(spans);
  const scale = timeScaleOf(spans, totalDuration);
  const traces = [...new Set(rows.map(({ span }) => span.traceId))];
  return (
    <div class="timeline">
      <div class="scale quiet" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{duration(scale.timeAt(share) - scale.start)}</span>
        ))}
      </div>
      <div class="drawn">
        <div class="cuts" aria-hidden="true">
          {scale.cuts.map(({ from, to, took }) => (
            <span
              key={from}
              style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
              title={`${duration(took)}, drawn shorter`}
            />
          ))}
        </div>
        <ol>
          {rows.map((row, at) => (
            <li key={`${row.span.traceId} ${row.span.spanId}`}>
              {traces.length > 1 && rows[at - 1]?.span.traceId !== row.span.traceId && (
                <Part span={row.span} at={traces.indexOf(row.span.traceId)} of={traces.length} scale={scale} />
              )}
              <SpanRow
                row={row}
                href={runHash(traceId ?? row.span.traceId, row.span.spanId)}
                scale={scale}
                selected={row.span.spanId === selected}
              />
            </li>
          ))}
        </ol>
      </div>
      {scale.cuts.length > 0 && (
        <p class="quiet">
          {scale.cuts.map(({ took }) => duration(took)).join(" and ")}, in which nothing began or ended, drawn shorter.
        </p>
      )}
    </div>
  );
}

/** The head of a trace, if there are several: its delay after the first one, and its process. */
function Part({
  span,
  at,
  of,
  scale,
}: {
  readonly span: Span;
  readonly at: number;
  readonly of: number;
  readonly scale: TimeScale;
}): VNode {
  const process = textAt(span.resource, "service.instance.id") ?? span.resource["process.pid"];
  return (
    <p class="part quiet">
      Trace {at + 1} of {of}
      {at > 0 && `, ${duration(span.start - scale.start)} after the first began`}
      {process !== undefined && `, process ${shortened(formatValue(process))}`}
    </p>
  );
}

/** Shortens the name of a process: the beginning of a generated id is enough. */
const shortened = (name: string): string =>
  /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(name) ? name.slice(0, 8) : name.slice(0, 40);

/** The properties of the waterfall. */
export interface TimelineProps {
  /** The run in the links of the spans. Without it, each span links to its trace. */
  readonly traceId?: string;
  readonly spans: readonly Span[];
  readonly selected: string | undefined;
  /** The milliseconds that the width represents at least, so that two waterfalls have one scale. */
  readonly totalDuration?: number;
}

interface RowProps {
  readonly row: Row;
  readonly href: string;
  readonly scale: TimeScale;
  readonly selected: boolean;
}

function SpanRow({ row: { span, depth }, href, scale, selected }: RowProps): VNode {
  const left = scale.place(span.start) * 100;
  const width = scale.place(span.end) * 100 - left;
  const first = firstChunkOf(span);
  const decisions = decisionsOf(span).length;
  return (
    <a
      href={href}
      aria-current={selected ? "true" : undefined}
      class={`row ${kindOf(span)}${span.status === "error" ? " failed" : ""}`}
    >
      <span class="name" style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.9}rem` }}>
        <span class="dot" aria-hidden="true" />
        <span class="text">{named(span.name)}</span>
        {[...notesOf(span)].map((note) => (
          <span key={note} class="chip">
            {note}
          </span>
        ))}
        {decisions > 0 && <span class="chip waits">{plural(decisions, "decision")}</span>}
        {span.status === "error" && <span class="chip error">error</span>}
      </span>
      <span class="track">
        <span class="bar" style={{ left: `${left}%`, width: `max(${width}%, 2px)` }} />
        {first !== undefined && (
          <span class="first" style={{ left: `${scale.place(span.start + first) * 100}%` }} title="first chunk" />
        )}
      </span>
      <span class="time">{duration(span.end - span.start)}</span>
    </a>
  );
}

const relations: Readonly<Record<string, string>> = {
  resumes: "resumed",
  resumed_by: "ran elsewhere",
  asked_by: "ran elsewhere",
  undoes: "undo",
};

/**
 * Returns the notes of a span in its row: the number of an attempt, a wait, a link to a span that it continues or
 * undoes.
 */
function notesOf({ attributes, links }: Span): ReadonlySet<string> {
  const attempt = numberAt(attributes, "suite.attempt");
  const notes = new Set<string>();
  if (attempt > 0) notes.add(`attempt ${attempt}`);
  if (textAt(attributes, "suite.status") === "suspended") notes.add("waited");
  for (const link of links) {
    const relation = textAt(link.attributes, "suite.link") ?? "";
    notes.add((Object.hasOwn(relations, relation) ? relations[relation] : undefined) ?? "linked");
  }
  return notes;
}

const agents: ReadonlySet<string> = new Set(["invoke_agent", "invoke_workflow", "create_agent", "plan"]);

/** Returns the kind of a span, which determines its colour. */
function kindOf(span: Span): "model" | "tool" | "agent" | "other" {
  if (isModelCall(span)) return "model";
  const operation = operationOf(span);
  if (operation === "execute_tool") return "tool";
  return agents.has(operation ?? "") ? "agent" : "other";
}
