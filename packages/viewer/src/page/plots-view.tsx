import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clock, count, date, duration, money } from "../run/format.js";
import type { Bucket, Series } from "../run/series.js";
import { fetchSeries, type Size } from "./api.js";
import { Copy } from "./copy.js";
import { Header } from "./header.js";
import { Plot } from "./plot.js";
import { hashOf } from "./route.js";
import { type Answer, useAnswer } from "./use-answer.js";

const spans = [
  [15, "15 minutes"],
  [60, "1 hour"],
  [1440, "1 day"],
  [undefined, "All"],
] as const;

/** The milliseconds between two requests for plots, since they change with each span. */
const AT_MOST_EVERY_MS = 1000;

/** The properties of the plots. */
export interface PlotsViewProps {
  readonly minutes: number | undefined;
  /** A value that changes when there is more data. */
  readonly changed: Size | undefined;
}

/** Plots over time: the duration of runs, their cost, failures, and the types of personal data found. */
export function PlotsView({ minutes, changed }: PlotsViewProps): VNode {
  const { answer: series, problem } = useSeries(minutes, changed);
  return (
    <main class="plots">
      <Header title="Plots">
        <span class="choice">
          {spans.map(([each, title]) => (
            <a
              key={title}
              href={hashOf({ page: "plots", ...(each !== undefined && { minutes: each }) })}
              aria-current={each === minutes ? "true" : undefined}
            >
              {title}
            </a>
          ))}
        </span>
        {series !== undefined && <Copy text={() => JSON.stringify(series, undefined, 2)}>Copy as JSON</Copy>}
      </Header>
      {problem !== undefined && <p class="note error">{problem}</p>}
      {series === undefined && problem === undefined && <p class="quiet">Loading…</p>}
      {series !== undefined && series.buckets.length === 0 && <p class="quiet">No run began in this time.</p>}
      {series !== undefined && series.buckets.length > 0 && <Drawn series={series} />}
    </main>
  );
}

function Drawn({ series }: { readonly series: Series }): VNode {
  const { buckets, from, to, step, types } = series;
  const totalDuration = to - from;
  const time = (at: number): string => (totalDuration > 86_400_000 ? date(at) : clock(at));
  const common = {
    places: buckets.map(({ start }) => (start - from) / totalDuration),
    step: step / totalDuration,
    times: buckets.map(({ start }) => `${time(start)} to ${time(start + step)}`),
    first: time(from),
    last: time(to),
  };
  const of = (name: string, value: (bucket: Bucket) => number | undefined) => ({ name, values: buckets.map(value) });
  const percentiles = (value: (bucket: Bucket) => Bucket["duration"]) => [
    of("p50", (each) => value(each)?.p50),
    of("p95", (each) => value(each)?.p95),
  ];
  return (
    <>
      <div class="grid">
        <Plot
          {...common}
          title="Duration of runs"
          kind="lines"
          format={duration}
          layers={percentiles((each) => each.duration)}
        />
        <Plot
          {...common}
          title="Time to the first chunk"
          kind="lines"
          format={duration}
          layers={percentiles((each) => each.firstChunk)}
        />
        <Plot
          {...common}
          title="Tokens"
          kind="bars"
          format={count}
          layers={[of("in", (each) => each.inputTokens), of("out", (each) => each.outputTokens)]}
        />
        <Plot
          {...common}
          title="Cost"
          none="None: tracing() takes prices."
          kind="bars"
          format={money}
          layers={[of("cost", (each) => each.cost)]}
        />
        <Plot {...common} title="Errors" kind="bars" format={count} layers={[of("errors", (each) => each.errors)]} />
        <Plot
          {...common}
          title="Personal data found"
          kind="bars"
          format={count}
          layers={types.map((type, index) => of(type, (each) => each.findings[index]))}
        />
      </div>
      <details>
        <summary>All figures as a table</summary>
        <Figures series={series} times={common.times} />
      </details>
    </>
  );
}

function Figures({ series, times }: { readonly series: Series; readonly times: readonly string[] }): VNode {
  const durationOrEmpty = (value: number | undefined): string => (value === undefined ? "" : duration(value));
  const columns: readonly (readonly [string, (bucket: Bucket) => string])[] = [
    ["runs", (each) => count(each.runs)],
    ["duration p50", (each) => durationOrEmpty(each.duration?.p50)],
    ["duration p95", (each) => durationOrEmpty(each.duration?.p95)],
    ["first chunk p50", (each) => durationOrEmpty(each.firstChunk?.p50)],
    ["first chunk p95", (each) => durationOrEmpty(each.firstChunk?.p95)],
    ["tokens in", (each) => count(each.inputTokens)],
    ["tokens out", (each) => count(each.outputTokens)],
    ["cost", (each) => money(each.cost)],
    ["errors", (each) => count(each.errors)],
    ...series.types.map(
      (type, index) => [`found: ${type}`, (each: Bucket) => count(each.findings[index] ?? 0)] as const,
    ),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than the page, and is then scrolled, by keys too
    <section class="scrolled" tabIndex={0} aria-label="All figures as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">time</th>
            {columns.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.buckets.map((bucket, at) => (
            <tr key={bucket.start}>
              <th scope="row">{times[at]}</th>
              {columns.map(([name, format]) => (
                <td key={name}>{format(bucket)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Fetches the series again when something changed, at most every `AT_MOST_EVERY_MS`. */
function useSeries(minutes: number | undefined, changed: Size | undefined): Answer<Series> {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setTurn((before) => before + 1), AT_MOST_EVERY_MS);
    return () => clearTimeout(timer);
  }, [changed]);
  // One question for all periods: the current plots stay until the new ones have arrived.
  return useAnswer("plots", `${minutes} ${turn}`, (_, signal) => fetchSeries(minutes, signal));
}
