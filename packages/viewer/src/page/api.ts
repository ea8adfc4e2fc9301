import type { Decision, WaitingRequests } from "../run/approval.js";
import type { RecordProof, RunLog } from "../run/audit.js";
import type { Run } from "../run/run.js";
import type { Series } from "../run/series.js";
import type { Span } from "../run/span.js";

/** The number of spans and runs that the viewer keeps. */
export interface Size {
  readonly spans: number;
  readonly runs: number;
  readonly dropped: number;
}

/** Runs, and their number. */
export interface Runs {
  readonly runs: readonly Run[];
  readonly size: Size;
}

/** The features that this viewer was started with. */
export const features = {
  audit: "audit" in document.documentElement.dataset,
  approve: "approve" in document.documentElement.dataset,
  /** The address that receives traces. */
  endpoint: document.documentElement.dataset.endpoint ?? "",
};

/**
 * Reads the token from the address and removes it there: an address is kept in the browser's history and seen by others.
 * The token is stored for the tabs of this viewer. Without a data folder it is of no use after the viewer ends.
 */
function tokenOf(): string {
  const url = new URL(location.href);
  const token = url.searchParams.get("token");
  if (token === null) return localStorage.getItem("token") ?? "";
  localStorage.setItem("token", token);
  url.searchParams.delete("token");
  history.replaceState(history.state, "", url);
  return token;
}

const headers = { authorization: `Bearer ${tokenOf()}` };

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, { headers, ...(signal !== undefined && { signal }) });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

/** Fetches the runs that match a query. An empty query matches all runs. */
export const fetchRuns = async (query: string, signal: AbortSignal): Promise<Runs> =>
  (await get(`/api/runs?q=${encodeURIComponent(query)}`, signal)).json() as Promise<Runs>;

/** Fetches the spans of a run, which may have several traces. */
export const fetchRun = (run: string, signal: AbortSignal): Promise<readonly Span[]> =>
  spansAt(`/api/runs/${encodeURIComponent(run)}`, signal);

/** Fetches the spans of all runs of a session. */
export const fetchSession = (session: string, signal: AbortSignal): Promise<readonly Span[]> =>
  spansAt(`/api/sessions?id=${encodeURIComponent(session)}`, signal);

async function spansAt(path: string, signal: AbortSignal): Promise<readonly Span[]> {
  const { spans } = (await (await get(path, signal)).json()) as { readonly spans: readonly Span[] };
  return spans;
}

/** Fetches the figures of all runs over time, or of those that began in the last minutes. */
export const fetchSeries = async (minutes: number | undefined, signal: AbortSignal): Promise<Series> =>
  (await get(`/api/plots?minutes=${minutes ?? ""}`, signal)).json() as Promise<Series>;

/** Fetches the requests that wait for a person. */
export const fetchWaiting = async (signal: AbortSignal): Promise<WaitingRequests> =>
  (await get("/api/approvals", signal)).json() as Promise<WaitingRequests>;

/** Sends a person's decision on a request. @throws Error with the reason of a refusal. */
export async function sendDecision(id: string, decision: Decision): Promise<void> {
  const response = await fetch(`/api/approvals/${encodeURIComponent(id)}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(decision),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
}

/** Fetches the records of a run in the audit log. */
export const fetchRunLog = async (traceId: string, signal: AbortSignal): Promise<RunLog> =>
  (await get(`/api/audit/${encodeURIComponent(traceId)}`, signal)).json() as Promise<RunLog>;

/** Fetches the proof of one record of the audit log. */
export const fetchProof = async (file: string, index: number): Promise<RecordProof> =>
  (await get(`/api/proof?file=${encodeURIComponent(file)}&index=${index}`)).json() as Promise<RecordProof>;

/** Runs that changed, or all runs, as the stream of changes reports them. */
export interface LiveLine extends Runs {
  /** True if these are all runs of the list: at first, and after old runs were dropped. */
  readonly whole: boolean;
  /** The most runs of a list. */
  readonly most: number;
}

/** The first stream of changes, requested when the page loads, before anything is rendered. */
let first: Promise<Response> | undefined = get("/api/live");
first.catch(() => {}); // the reader receives this error

/** Yields runs as they change, until the signal aborts or the viewer ends. */
export async function* liveRuns(signal: AbortSignal): AsyncGenerator<LiveLine, void> {
  const response = first ?? get("/api/live", signal);
  first = undefined;
  const { body } = await response;
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as LiveLine;
  }
}

/** Returns the address of a view of this page, for another tab. */
export function permalink(hash: string): string {
  const url = new URL(location.href);
  url.searchParams.set("token", headers.authorization.slice("Bearer ".length));
  url.hash = hash;
  return url.href;
}
