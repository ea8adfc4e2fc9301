import type { Ref, VNode } from "preact";
import type { Run } from "../run/run.js";
import type { Size } from "./api.js";
import { clock, count, duration, named, plural } from "./format.js";
import { hashOf } from "./route.js";

/** The properties of the list of runs. */
export interface RunsListProps {
  readonly runs: readonly Run[];
  readonly size: Size | undefined;
  readonly selected: string | undefined;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly search: Ref<HTMLInputElement>;
  readonly state: "loading" | "live" | "lost";
}

/** The list of runs, the newest first, and the search over all that they say. */
export function RunsList({ runs, size, selected, query, onQuery, search, state }: RunsListProps): VNode {
  return (
    <nav class="runs" aria-label="Runs">
      <header>
        <h1>Runs</h1>
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
      <p class="quiet" role="status">
        {size === undefined ? "Loading…" : sizeOf(runs.length, size, query)}
      </p>
      {runs.length > 0 && (
        <ul>
          {runs.map((run) => (
            <li key={run.traceId}>
              <a
                href={hashOf({ run: run.traceId, view: "timeline" })}
                aria-current={run.traceId === selected ? "true" : undefined}
              >
                <span class="line">
                  <strong>{named(run.name)}</strong>
                  <time>{clock(run.start)}</time>
                </span>
                <span class="line quiet">
                  <span>{duration(run.end - run.start)}</span>
                  <span>{plural(run.inputTokens + run.outputTokens, "token")}</span>
                  <span>{plural(run.spans, "span")}</span>
                  <State run={run} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

function sizeOf(shown: number, { runs, dropped }: Size, query: string): string {
  const of = query.trim() === "" ? plural(runs, "run") : `${count(shown)} of ${plural(runs, "run")}`;
  return dropped === 0 ? of : `${of}; ${plural(dropped, "older span")} made room`;
}

/** The mark of how a run ended; none where it ended well. */
export function State({ run }: { readonly run: Run }): VNode | null {
  if (run.state === "open") return <span class="chip open">at work</span>;
  if (run.state === "suspended") return <span class="chip waits">waits</span>;
  if (run.state === "failed") return <span class="chip error">failed</span>;
  return run.errors > 0 ? <span class="chip error">{plural(run.errors, "error")}</span> : null;
}

function Live({ state }: { readonly state: RunsListProps["state"] }): VNode {
  const text = { loading: "connecting", live: "live", lost: "not connected" }[state];
  return <span class={`live ${state}`}>{text}</span>;
}
