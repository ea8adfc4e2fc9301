import { propagate } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { watched } from "./over.js";
import { send } from "./send.js";
import { type Fetch, opened } from "./target.js";

/**
 * A call of a model that no plugin has a hook for: a run, and in it the request and the response as they are. Makes one
 * promise, beside that of the request.
 *
 * @throws what `fetch` throws before it gives a promise.
 */
export function direct(
  runs: FrameworkRuns,
  fetch: Fetch,
  url: URL,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { signal } = init;
  const run = runs.begin(signal ? { signal } : {});
  const failed = async (error: unknown): Promise<never> => {
    run.failed(error);
    await run.finish();
    throw error;
  };
  try {
    const call = run.identify("model", runs.callAround(run));
    const carrier = propagate(call, run, { kind: "http", url: url.href });
    const answer =
      carrier === undefined
        ? Promise.resolve(fetch(input, init)) // the same promise, where it is one: a fetch of tests need not give any
        : Promise.resolve(opened(input, init, url)).then((asked) =>
            send(fetch, asked, asked.body, { call, runtime: run }, signal ?? undefined),
          );
    return answer.then((response) => watched(response, () => void run.finish()), failed);
  } catch (error) {
    return failed(error);
  }
}
