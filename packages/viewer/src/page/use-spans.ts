import { useEffect, useState } from "preact/hooks";
import type { Span } from "../run/span.js";
import { fetchSpans } from "./api.js";

/** The spans of a run or a session, or why there are none. */
export interface KnownSpans {
  readonly spans?: readonly Span[];
  readonly missing?: string;
}

/** The spans of a run, fetched again when it has more. @param changed a number that changes when it does. */
export const useSpans = (run: string | undefined, changed: number | undefined): KnownSpans =>
  useFetched("run", run, changed);

/** The spans of all runs of a session, likewise. */
export const useSession = (session: string | undefined, changed: number | undefined): KnownSpans =>
  useFetched("session", session, changed);

function useFetched(what: "run" | "session", id: string | undefined, changed: number | undefined): KnownSpans {
  const [known, setKnown] = useState<KnownSpans & { readonly id: string }>();
  // Asked again where `changed` says that there is more.
  useEffect(() => {
    if (id === undefined) return;
    const leaving = new AbortController();
    fetchSpans(what === "run" ? { run: id } : { session: id }, leaving.signal).then(
      (spans) => setKnown({ id, spans }),
      (error: Error) => {
        if (!leaving.signal.aborted) setKnown({ id, missing: error.message });
      },
    );
    return () => leaving.abort();
  }, [what, id, changed]);
  return known?.id === id && known !== undefined ? known : {};
}
