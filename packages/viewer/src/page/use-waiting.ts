import { useEffect, useState } from "preact/hooks";
import type { WaitingRequests } from "../run/approval.js";
import { features, fetchWaiting, type Size } from "./api.js";

/** The milliseconds between two requests, since waiting requests may expire or be decided elsewhere. */
const EVERY_MS = 2000;

/**
 * Returns the requests that wait for a person. Returns `undefined` if approvals are off or the requests are not loaded
 * yet.
 */
export function useWaiting(changed: Size | undefined): WaitingRequests | undefined {
  const [known, setKnown] = useState<WaitingRequests>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!features.approve) return;
    const leaving = new AbortController();
    fetchWaiting(leaving.signal).then(setKnown, () => {}); // the live connection reports the failure
    const timer = setTimeout(() => setTurn((before) => before + 1), EVERY_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [changed, turn]);
  return known;
}
