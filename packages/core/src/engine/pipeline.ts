import type { Middleware } from "../contract/protocol.js";
import { type Core, fold, notAwaited, type Onion, type Watch, Watches } from "./onion.js";

/**
 * Layers around any function, for custom contexts: the onion of the suite without its kinds.
 *
 * @example
 * ```ts
 * const pipeline = new MiddlewarePipeline<{ url: string; body?: string }>([
 *   async (context, callNext) => {
 *     console.log("GET", context.url);
 *     await callNext();
 *   },
 * ]);
 * await pipeline.execute({ url: "https://example.com" }, async (context) => {
 *   context.body = await (await fetch(context.url)).text();
 * });
 * ```
 */
export class MiddlewarePipeline<Context> {
  readonly #onion: Onion<Context> | undefined;
  readonly #watches = new Watches();

  /** @param layers the first is the outermost. */
  constructor(layers: readonly Middleware<Context>[]) {
    this.#onion = fold(layers, (context) => context);
  }

  /** Runs the layers around `final`. Rejects with the error of a layer or `final`, unchanged. */
  execute(context: Context, final: Core<Context>): Promise<void> {
    const watch = this.#watches.next();
    try {
      const running = this.#onion === undefined ? final(context) : this.#onion(context, final, watch);
      return watch === undefined ? running : this.#watched(running, watch);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #watched(running: Promise<void>, watch: Watch): Promise<void> {
    await running;
    if (watch.open > 0) throw notAwaited("this pipeline");
  }
}
