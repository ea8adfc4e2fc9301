import { propagate } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { send } from "./connection.js";
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

/** Node's `stream` module, as far as it is used here. */
interface NodeStreams {
  finished(stream: unknown, over: () => void): void;
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): Partial<NodeStreams> | undefined };
}

/** A stream of Node's, with its promise that it is over. */
interface Closing {
  readonly [closing]?: { readonly promise?: PromiseLike<unknown> };
}

/** The symbol by which Node's own `finished` finds that promise. Asked directly, it costs a quarter of what `finished` does. */
const closing = Symbol.for("nodejs.webstream.isClosedPromise");

/**
 * Watches a response: calls `over` when its body has been read to the end, has failed or was let go. Where the
 * runtime can tell that of a stream which somebody else reads, nothing stands in between; elsewhere the body goes
 * through another stream.
 */
export function watched(response: Response, over: () => void): Response {
  // What a fetch of somebody's own gives need not be a response: the client knows what to do about that.
  const body = (response as Partial<Response> | undefined)?.body ?? null;
  if (body === null) over();
  if (body === null || isTold(body, over)) return response;
  const copy = new Response(relayed(body, over), response);
  return Object.defineProperty(copy, "url", { value: response.url });
}

function isTold(body: ReadableStream<Uint8Array>, over: () => void): boolean {
  const closed = (body as Closing)[closing]?.promise;
  if (typeof closed?.then === "function") {
    closed.then(over, over);
    return true;
  }
  try {
    // Asked for by name, so that no bundler looks for a built-in where there is none.
    const { finished } = (globalThis as Runtime).process?.getBuiltinModule?.("node:stream") ?? {};
    finished?.(body, over);
    return finished !== undefined;
  } catch {
    return false; // a stream that this runtime cannot watch
  }
}

function relayed(body: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          over();
          controller.close();
        } catch (error) {
          over();
          throw error;
        }
      },
      cancel(reason) {
        over();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
