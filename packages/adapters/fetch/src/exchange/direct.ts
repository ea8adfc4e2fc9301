import { propagate } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { watched } from "./over.js";
import { send } from "./send.js";
import { type Fetch, opened } from "./target.js";

/** A call of a model that no plugin has a hook for: a run, and in it the request and the response as they are. */
export async function direct(
  runs: FrameworkRuns,
  fetch: Fetch,
  url: URL,
  input: string | URL | Request,
  init: RequestInit,
): Promise<Response> {
  const { signal } = init;
  const run = runs.begin(signal ? { signal } : {});
  try {
    const call = run.identify("model", runs.callAround(run));
    const carrier = propagate(call, run, { kind: "http", url: url.href });
    if (carrier === undefined) return watched(await fetch(input, init), () => void run.end());
    const { body, ...target } = await opened(input, init, url);
    return watched(await send(fetch, target, body, { call, runtime: run }), () => void run.end());
  } catch (error) {
    await run.end();
    throw error;
  }
}
