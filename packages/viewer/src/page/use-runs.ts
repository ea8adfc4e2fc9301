import { useEffect, useState } from "preact/hooks";
import { mergeRuns } from "../run/merge.js";
import type { Run } from "../run/run.js";
import { fetchRuns, liveRuns, type Size } from "./api.js";

/** The milliseconds after which a lost connection is opened again. */
const AGAIN_MS = 1000;

/** The runs of the viewer, as the page holds them. */
export interface LiveRuns {
  readonly runs: readonly Run[];
  readonly size: Size | undefined;
  readonly state: "loading" | "live" | "lost";
  readonly problem: string | undefined;
}

/**
 * Returns the runs that match the query, and all runs. All runs are updated from the changes, a search by a new
 * request.
 */
export function useRuns(query: string): LiveRuns & { readonly all: readonly Run[] } {
  const all = useAllRuns();
  const [found, setFound] = useState<readonly Run[]>();
  const words = query.trim();
  // Fetched again if `all.runs` shows that there is more.
  useEffect(() => {
    if (words === "") return;
    const leaving = new AbortController();
    fetchRuns(words, leaving.signal).then(
      ({ runs }) => setFound(runs),
      () => {}, // the live connection reports the failure
    );
    return () => leaving.abort();
  }, [words, all.runs]);
  return { ...all, all: all.runs, runs: words === "" || found === undefined ? all.runs : found };
}

/** Follows all runs while the page is open. */
function useAllRuns(): LiveRuns {
  const [all, setAll] = useState<LiveRuns>({ runs: [], size: undefined, state: "loading", problem: undefined });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          for await (const { runs, size, whole, most } of liveRuns(signal)) {
            setAll((before) => ({
              runs: whole ? runs : mergeRuns(before.runs, runs, most),
              size,
              state: "live",
              problem: undefined,
            }));
          }
          setAll((before) => ({ ...before, state: "lost" }));
        } catch (error) {
          if (signal.aborted) return;
          const problem =
            error instanceof TypeError ? "The viewer was stopped. Start it again." : String((error as Error).message);
          setAll((before) => ({ ...before, state: "lost", problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void follow();
    return () => leaving.abort();
  }, []);
  return all;
}
