import type { FrameworkRuns } from "@suite/core/framework";
import { propagate } from "@suite/core/propagation";
import { send } from "./connection.js";
import { type Fetch, opened } from "./target.js";

/**
 * Calls a model in a run when no plugin has a hook for requests. Request and response stay unchanged. Creates one promise more
 * than the request.
 *
 * @throws the error that `fetch` throws before it returns a promise
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
        ? Promise.resolve(fetch(input, init)) // the same promise, if it is one: the fetch of a test may return none
        : Promise.resolve(opened(input, init, url)).then((request) =>
            send(fetch, request, request.body, { call, runtime: run }, signal ?? undefined),
          );
    return answer.then((response) => watched(response, () => void run.finish()), failed);
  } catch (error) {
    return failed(error);
  }
}

/** The part of Node's `stream` module that is used here. */
interface NodeStreams {
  finished(stream: unknown, over: () => void): void;
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): Partial<NodeStreams> | undefined };
}

/** A stream of Node with its promise of the end. */
interface Closing {
  readonly [closing]?: { readonly promise?: PromiseLike<unknown> };
}

/** The symbol of that promise, which Node's `finished` reads. Direct access takes a quarter of the time of `finished`. */
const closing = Symbol.for("nodejs.webstream.isClosedPromise");

/**
 * Calls `over` when the body of a response has been read to the end, has failed or was cancelled. If the runtime can report the
 * end of a stream with another reader, the response stays unchanged. Otherwise the body passes through another stream.
 */
function watched(response: Response, over: () => void): Response {
  // A custom fetch may return something else than a response. The client handles that.
  const body = (response as Partial<Response> | undefined)?.body ?? null;
  if (body === null) over();
  if (body === null || watchEnd(body, over)) return response;
  const copy = new Response(relayed(body, over), response);
  return Object.defineProperty(copy, "url", { value: response.url });
}

function watchEnd(body: ReadableStream<Uint8Array>, over: () => void): boolean {
  const closed = (body as Closing)[closing]?.promise;
  if (typeof closed?.then === "function") {
    closed.then(over, over);
    return true;
  }
  try {
    // Loaded by name, so that bundlers for other runtimes do not look for the built-in module.
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
