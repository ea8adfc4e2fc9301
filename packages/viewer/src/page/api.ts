import type { Run } from "../run/run.js";
import type { Span } from "../run/span.js";

/** The number of spans and runs that the viewer keeps. */
export interface Size {
  readonly spans: number;
  readonly runs: number;
  readonly dropped: number;
}

/** Runs, and how many there are. */
export interface Runs {
  readonly runs: readonly Run[];
  readonly size: Size;
}

/** The token of the address: kept for this tab, so that a reload needs it no more. */
function tokenOf(): string {
  const given = new URLSearchParams(location.search).get("token");
  if (given !== null) sessionStorage.setItem("token", given);
  return given ?? sessionStorage.getItem("token") ?? "";
}

const headers = { authorization: `Bearer ${tokenOf()}` };

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, { headers, ...(signal !== undefined && { signal }) });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

/** The runs in which these words stand; all without any. */
export const fetchRuns = async (query: string, signal: AbortSignal): Promise<Runs> =>
  (await get(`/api/runs?q=${encodeURIComponent(query)}`, signal)).json() as Promise<Runs>;

/** The spans of a run. */
export async function fetchSpans(traceId: string, signal: AbortSignal): Promise<readonly Span[]> {
  const { spans } = (await (await get(`/api/runs/${encodeURIComponent(traceId)}`, signal)).json()) as {
    spans: readonly Span[];
  };
  return spans;
}

/** Runs as they change, until the signal aborts or the viewer ends. */
export async function* liveRuns(signal: AbortSignal): AsyncGenerator<Runs, void> {
  const { body } = await get("/api/live", signal);
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Runs;
  }
}

/** The address that leads to a place of this page, for another tab. */
export function permalink(hash: string): string {
  const url = new URL(location.href);
  url.searchParams.set("token", headers.authorization.slice("Bearer ".length));
  url.hash = hash;
  return url.href;
}
