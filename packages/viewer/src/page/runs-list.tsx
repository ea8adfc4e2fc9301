import type { Ref, VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { clock, count, duration, money, named, plural } from "../run/format.js";
import { isOf } from "../run/joined.js";
import { hasState, offeredStates, withState } from "../run/query.js";
import type { Run } from "../run/run.js";
import { features, type Size } from "./api.js";
import { hashOf, type Route, runHash } from "./route.js";
import type { LiveRuns } from "./use-runs.js";

/** The properties of the list of runs. */
export interface RunsListProps {
  /** The number of requests that wait for a person. */
  readonly waiting: number | undefined;
  readonly runs: readonly Run[];
  readonly size: Size | undefined;
  readonly route: Route;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly search: Ref<HTMLInputElement>;
  readonly state: LiveRuns["state"];
}

/** The list of runs, the newest first, and the search over all their content. */
export function RunsList({ runs, size, route, waiting = 0, query, onQuery, search, state }: RunsListProps): VNode {
  const selected = selectedIn(route);
  const isChoosing = route.page === "compare" && route.other === undefined;
  const drawn = useDrawn(runs.length);
  return (
    <nav class="runs" aria-label="Runs">
      <header>
        <h1 class="unseen">Runs</h1>
        <div class="places">
          <a href="#/" aria-current={route.page === "plots" || route.page === "approvals" ? undefined : "true"}>
            Runs
          </a>
          <a href="#/plots" aria-current={route.page === "plots" ? "page" : undefined}>
            Plots
          </a>
          {features.approve && (
            <a href="#/approvals" aria-current={route.page === "approvals" ? "page" : undefined}>
              Approvals{waiting > 0 && ` (${waiting})`}
            </a>
          )}
        </div>
        <Live state={state} />
      </header>
      <input
        ref={search}
        type="search"
        placeholder="Search everything  /"
        aria-label="Search in all runs"
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      <fieldset class="choice" aria-label="Show only">
        {offeredStates.map(([state, title]) => (
          <button
            key={state}
            type="button"
            aria-pressed={hasState(query, state)}
            onClick={() => onQuery(withState(query, state))}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {isChoosing && <p class="note">Choose the run to compare with.</p>}
      <p class="quiet" role="status">
        {size !== undefined ? sizeOf(runs.length, size, query) : state === "lost" ? "Not connected." : "Loading…"}
      </p>
      {runs.length > 0 && (
        <ul>
          {runs.slice(0, drawn).map((run) => (
            <RunRow
              key={run.traceId}
              run={run}
              href={route.page === "compare" ? hashOf({ ...route, other: run.traceId }) : runHash(run.traceId)}
              selected={selected.some((id) => isOf(run, id))}
            />
          ))}
        </ul>
      )}
    </nav>
  );
}

/** The rows that fill any screen. They are rendered first, and the others afterwards. */
const FIRST_ROWS = 60;

/** Returns the number of rows to render. */
function useDrawn(all: number): number {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (all === 0) return;
    const timer = setTimeout(() => setSeen(true), 50);
    return () => clearTimeout(timer);
  }, [all === 0]);
  return isSeen ? all : Math.min(all, FIRST_ROWS);
}

/** Returns the runs that a route selects. */
const selectedIn = (route: Route): readonly string[] =>
  route.page === "compare" ? [route.run, route.other ?? ""] : route.page === "run" ? [route.run] : [];

/** A run in the list. It is rendered again only if it changed. */
function RunRow({
  run,
  href,
  selected,
}: {
  readonly run: Run;
  readonly href: string;
  readonly selected: boolean;
}): VNode {
  return useMemo(
    () => (
      <li>
        <a href={href} aria-current={selected ? "true" : undefined}>
          <span class="line">
            <strong>{named(run.name)}</strong>
            <time>{clock(run.start)}</time>
          </span>
          <span class="line quiet">
            <span>{duration(run.end - run.start)}</span>
            {(run.inputTokens ?? run.outputTokens) !== undefined && (
              <span>{plural((run.inputTokens ?? 0) + (run.outputTokens ?? 0), "token")}</span>
            )}
            <span>{plural(run.spans, "span")}</span>
            {run.cost !== undefined && <span>{money(run.cost)}</span>}
            <State run={run} />
          </span>
          {(run.sessionId ?? run.userId) !== undefined || run.decisions > 0 ? (
            <span class="line quiet">
              {run.sessionId !== undefined && <span class="who">{run.sessionId}</span>}
              {run.userId !== undefined && <span class="who">{run.userId}</span>}
              {run.decisions > 0 && <span>{plural(run.decisions, "decision")}</span>}
            </span>
          ) : null}
        </a>
      </li>
    ),
    [run, href, selected],
  );
}

function sizeOf(visibleCount: number, { runs, dropped }: Size, query: string): string {
  const of = query.trim() === "" ? plural(runs, "run") : `${count(visibleCount)} of ${plural(runs, "run")}`;
  return dropped === 0 ? of : `${of}; ${plural(dropped, "older span")} were removed`;
}

/** The mark for the end of a run. Returns null if it succeeded. */
export function State({ run }: { readonly run: Run }): VNode | null {
  if (run.state === "open") return <span class="chip open">at work</span>;
  if (run.state === "suspended") return <span class="chip waits">waits</span>;
  if (run.state === "failed") return <span class="chip error">failed</span>;
  return run.errors > 0 ? <span class="chip error">{plural(run.errors, "error")}</span> : null;
}

function Live({ state }: { readonly state: LiveRuns["state"] }): VNode {
  const text = { loading: "connecting", live: "live", lost: "not connected" }[state];
  return <span class={`live ${state}`}>{text}</span>;
}
