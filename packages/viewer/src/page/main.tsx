import { render, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Run } from "../run/run.js";
import type { Span } from "../run/span.js";
import { fetchRuns, fetchSpans, liveRuns, type Size } from "./api.js";
import { Empty } from "./empty.js";
import { go, hashOf, type Route, routeOf } from "./route.js";
import { RunView } from "./run-view.js";
import { RunsList, type RunsListProps } from "./runs-list.js";

/** The time after which a lost connection is tried again, in milliseconds. */
const AGAIN_MS = 1000;

function App(): VNode {
  const route = useRoute();
  const [query, setQuery] = useState("");
  const { runs, size, state, problem } = useRuns(query);
  const changed = runs.find(({ traceId }) => traceId === route.run)?.spans;
  const { spans, missing } = useSpans(route.run, changed);
  const search = useRef<HTMLInputElement>(null);
  useKeys(runs, search);
  useEffect(() => {
    const run = runs.find(({ traceId }) => traceId === route.run);
    document.title = run === undefined ? "Runs" : `${run.name}, run`;
  }, [route.run, runs]);
  return (
    <div class={route.run === undefined ? "page" : "page with-run"}>
      <RunsList
        runs={runs}
        size={size}
        selected={route.run}
        query={query}
        onQuery={setQuery}
        search={search}
        state={state}
      />
      {route.run === undefined || spans === undefined ? (
        <Empty
          problem={problem ?? missing}
          waits={route.run !== undefined && missing === undefined}
          isEmpty={size?.runs === 0}
        />
      ) : (
        <RunView route={{ ...route, run: route.run }} spans={spans} />
      )}
    </div>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(routeOf(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

interface LiveRuns {
  readonly runs: readonly Run[];
  readonly size: Size | undefined;
  readonly state: RunsListProps["state"];
  readonly problem: string | undefined;
}

/** The runs that fit the query, kept up to date: of all of them by what changed, of a search by asking again. */
function useRuns(query: string): LiveRuns {
  const [all, setAll] = useState<LiveRuns>({ runs: [], size: undefined, state: "loading", problem: undefined });
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          for await (const { size } of liveRuns(signal)) {
            setAll((before) => ({ ...before, size, state: "live", problem: undefined }));
            setChanges((count) => count + 1);
          }
          setAll((before) => ({ ...before, state: "lost" }));
        } catch (error) {
          if (signal.aborted) return;
          const problem =
            error instanceof TypeError ? "The viewer has ended. Start it again." : String((error as Error).message);
          setAll((before) => ({ ...before, state: "lost", problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void follow();
    return () => leaving.abort();
  }, []);
  useEffect(() => {
    if (changes === 0) return;
    const leaving = new AbortController();
    const ask = (): void => {
      fetchRuns(query, leaving.signal).then(
        ({ runs, size }) => setAll((before) => ({ ...before, runs, size })),
        () => {}, // told by the connection that is followed
      );
    };
    ask();
    return () => leaving.abort();
  }, [query, changes]);
  return all;
}

/** The spans of a run, fetched again when it has more. */
function useSpans(
  run: string | undefined,
  changed: number | undefined,
): { readonly spans?: readonly Span[]; readonly missing?: string } {
  const [known, setKnown] = useState<{
    readonly run: string;
    readonly spans?: readonly Span[];
    readonly missing?: string;
  }>();
  // Asked again where `changed` says that there is more.
  useEffect(() => {
    if (run === undefined) return;
    const leaving = new AbortController();
    fetchSpans(run, leaving.signal).then(
      (spans) => setKnown({ run, spans }),
      (error: Error) => {
        if (!leaving.signal.aborted) setKnown({ run, missing: error.message });
      },
    );
    return () => leaving.abort();
  }, [run, changed]);
  return known?.run === run && known !== undefined ? known : {};
}

/** Keys: j and k go through the runs, / searches, Escape goes back. */
function useKeys(runs: readonly Run[], search: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof HTMLInputElement;
      // As the address has it now: keys may come faster than the page is drawn.
      const route = routeOf(location.hash);
      if (event.key === "Escape") {
        if (isTyping) search.current?.blur();
        else go(route.span === undefined ? { view: "timeline" } : withoutSpan(route));
      } else if (isTyping) return;
      else if (event.key === "/") {
        event.preventDefault();
        search.current?.focus();
      } else if (event.key === "j" || event.key === "k") {
        const at = runs.findIndex(({ traceId }) => traceId === route.run);
        const next = runs[at < 0 ? 0 : at + (event.key === "j" ? 1 : -1)];
        if (next !== undefined) location.hash = hashOf({ run: next.traceId, view: route.view });
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [runs, search]);
}

function withoutSpan({ run, view }: Route): Route {
  return { view, ...(run !== undefined && { run }) };
}

render(<App />, document.body);
