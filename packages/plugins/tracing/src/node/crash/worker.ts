/** The states of the worker that sends the spans of a crashing process. */
export const STARTING = 0;
export const SENDING = 1;
const OVER = 2;

/** One request over HTTP, as the worker receives it. */
export interface CrashRequest {
  readonly url: string;
  /** The options of `http.request`. */
  readonly options: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly ca?: Uint8Array | undefined;
    readonly cert?: Uint8Array | undefined;
    readonly key?: Uint8Array | undefined;
  };
  readonly body: Uint8Array;
  /** `STARTING`, `SENDING`, then `OVER`, whether the receiver took the spans or not. */
  readonly state: Int32Array;
}

/**
 * The program of the worker, in CommonJS. It is a string because bundlers do not copy a worker's file. It uses only
 * modules of Node because a bundle has no `node_modules`.
 */
export const WORKER = `
  const { url, options, body, state } = require("node:worker_threads").workerData;
  const become = (next) => { Atomics.store(state, 0, next); Atomics.notify(state, 0); };
  const end = () => become(${OVER});
  try {
    const { request } = require(url.startsWith("https:") ? "node:https" : "node:http");
    become(${SENDING});
    request(url, options, (response) => response.resume().on("close", end)).on("error", end).end(body);
  } catch {
    end();
  }
`;
