import { type Invocation, propagate } from "@suite/core";
import type { Fetch, Target } from "./target.js";

/** The statuses of redirects, by the Fetch standard. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends what a model is asked. What propagators say is meant for this host alone, and `fetch` would take it along wherever
 * it is redirected to: such a request is sent once more, without it.
 */
export function send(
  fetch: Fetch,
  { url, headers, init }: Target,
  body: string,
  { call, runtime }: Pick<Invocation<"model">, "call" | "runtime">,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const request: RequestInit = { ...init, method: "POST", headers, body, ...(signal && { signal }) };
  const carrier = propagate(call, runtime, { kind: "http", url: url.href });
  return carrier === undefined ? fetch(url.href, request) : carried(fetch, url, request, carrier);
}

async function carried(
  fetch: Fetch,
  url: URL,
  request: RequestInit,
  carrier: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(carrier)) headers.set(name, value);
  const response = await fetch(url.href, { ...request, headers, redirect: "manual" });
  if (!redirects.has(response.status) && response.type !== "opaqueredirect") return response;
  await response.body?.cancel();
  return fetch(url.href, request);
}
