import type { VNode } from "preact";
import { type ComparedFigures, compareSteps, figuresOf } from "../run/compare.js";
import { conversationOf } from "../run/conversation.js";
import { count, date, duration, money, named } from "../run/format.js";
import { runOfSpans } from "../run/joined.js";
import type { ChatMessage } from "../run/message.js";
import type { Run } from "../run/run.js";
import type { Span } from "../run/span.js";
import { permalink } from "./api.js";
import { Message } from "./conversation.js";
import { Copy } from "./copy.js";
import { Header } from "./header.js";
import { type CompareRoute, hashOf, runHash } from "./route.js";
import { State } from "./runs-list.js";
import { Timeline } from "./timeline.js";

/** The properties of the comparison of two runs. */
export interface CompareViewProps {
  readonly route: CompareRoute & { readonly other: string };
  readonly spans: readonly [readonly Span[], readonly Span[]];
}

/** Compares two runs: their figures, their steps, their waterfalls on one scale, and their messages. */
export function CompareView({ route, spans: [a, b] }: CompareViewProps): VNode {
  const [runA, runB] = [runOfSpans(route.run, a), runOfSpans(route.other, b)];
  const duration = Math.max(runA.end - runA.start, runB.end - runB.start);
  return (
    <main class="compare">
      <Header title="Two runs">
        <span class="actions">
          <a class="button" href={hashOf({ page: "compare", run: route.other, other: route.run })}>
            Swap
          </a>
          <a class="button" href={hashOf({ page: "compare", run: route.run })}>
            Choose another
          </a>
          <Copy text={() => permalink(hashOf(route))}>Copy link</Copy>
          <Copy text={() => JSON.stringify([a, b], undefined, 2)}>Copy as JSON</Copy>
        </span>
      </Header>
      <Figures runs={[runA, runB]} figures={[figuresOf(runA, a), figuresOf(runB, b)]} />
      <Steps a={a} b={b} />
      <section class="sides">
        <Side letter="A" run={runA}>
          <Timeline traceId={runA.traceId} spans={a} selected={undefined} totalDuration={duration} />
        </Side>
        <Side letter="B" run={runB}>
          <Timeline traceId={runB.traceId} spans={b} selected={undefined} totalDuration={duration} />
        </Side>
      </section>
      <Conversations a={conversationOf(a)} b={conversationOf(b)} />
    </main>
  );
}

function Side({
  letter,
  run,
  children,
}: {
  readonly letter: string;
  readonly run: Run;
  readonly children: VNode;
}): VNode {
  return (
    <div class="side">
      <h2>
        <span class="chip">{letter}</span> <a href={runHash(run.traceId)}>{named(run.name)}</a> <State run={run} />
      </h2>
      {children}
    </div>
  );
}

type Row = readonly [string, (figures: ComparedFigures) => number | undefined, (value: number) => string];

const rows: readonly Row[] = [
  ["took", (each) => each.took, duration],
  ["first chunk", (each) => each.firstChunk, duration],
  ["tokens in", (each) => each.inputTokens, count],
  ["tokens out", (each) => each.outputTokens, count],
  ["cost", (each) => each.cost, money],
  ["model calls", (each) => each.modelCalls, count],
  ["spans", (each) => each.spans, count],
  ["errors", (each) => each.errors, count],
  ["decisions", (each) => each.decisions, count],
];

function Figures({
  runs,
  figures,
}: {
  readonly runs: readonly [Run, Run];
  readonly figures: readonly [ComparedFigures, ComparedFigures];
}): VNode {
  const [a, b] = figures;
  return (
    <table>
      <caption class="unseen">Figures of the two runs</caption>
      <thead>
        <tr>
          <th scope="col">figure</th>
          {runs.map((run, index) => (
            <th key={index} scope="col">
              <span class="chip">{index === 0 ? "A" : "B"}</span> {named(run.name)}
              <br />
              <span class="quiet">{date(run.start)}</span>
            </th>
          ))}
          <th scope="col">change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, of, format]) => {
          const [x, y] = [of(a), of(b)];
          if (x === undefined && y === undefined) return null;
          return (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{x === undefined ? "none" : format(x)}</td>
              <td>{y === undefined ? "none" : format(y)}</td>
              <td>{x === undefined || y === undefined ? "" : difference(x, y, format)}</td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">models</th>
          {runs.map((run, index) => (
            <td key={index} class="words">
              {run.models.join(", ") || "none"}
            </td>
          ))}
          <td />
        </tr>
      </tbody>
    </table>
  );
}

function Steps({ a, b }: { readonly a: readonly Span[]; readonly b: readonly Span[] }): VNode {
  return (
    <section>
      <h2>Steps</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">span</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">change</th>
          </tr>
        </thead>
        <tbody>
          {compareSteps(a, b).map(({ name, counts, took }) => (
            <tr key={name}>
              <th scope="row">{named(name)}</th>
              {counts.map((times, index) => (
                <td key={index}>
                  {times === 0 ? "none" : `${times === 1 ? "" : `${times} × `}${duration(took[index] ?? 0)}`}
                </td>
              ))}
              <td>{counts.includes(0) ? "" : difference(took[0], took[1], duration)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Conversations({
  a,
  b,
}: {
  readonly a: readonly ChatMessage[];
  readonly b: readonly ChatMessage[];
}): VNode | null {
  if (a.length === 0 && b.length === 0) return null;
  const differs = (index: number): boolean => JSON.stringify(a[index]) !== JSON.stringify(b[index]);
  return (
    <section>
      <h2>Conversations</h2>
      <div class="sides">
        {[a, b].map((messages, side) => (
          <ol key={side} class="conversation" aria-label={`Conversation of ${side === 0 ? "A" : "B"}`}>
            {messages.map((message, index) => (
              <Message key={index} message={message} note={differs(index) ? "differs" : undefined} />
            ))}
          </ol>
        ))}
      </div>
    </section>
  );
}

/** Formats the difference of two values, and its ratio to the first: `+12 ms, +30 %`. */
function difference(a: number, b: number, format: (value: number) => string): string {
  if (a === b) return "same";
  const sign = b > a ? "+" : "−";
  const part = a === 0 ? "" : `, ${sign}${Math.round((Math.abs(b - a) / a) * 100)}\u00a0%`;
  return `${sign}${format(Math.abs(b - a))}${part}`;
}
