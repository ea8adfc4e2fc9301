import { definePlugin, type Invocation, type Kind, type Plugin, resultKey } from "@suite/core";
import { callable } from "@suite/kit/options";
import { calls, kinds } from "./calls.js";
import { checkOptions } from "./options.js";

/** The duration of one call. */
export interface Timing {
  readonly kind: Kind;
  /** The name of the model, tool or searched source. */
  readonly name?: string;
  /** The time from the start of the call to the end of its response. */
  readonly milliseconds: number;
  /** The time from the start of the call to its first chunk. Absent without a chunk. */
  readonly millisecondsToFirstChunk?: number;
  readonly status: "completed" | "failed" | "cancelled" | "suspended";
}

/** The options of `timing`. */
export interface TimingOptions {
  /** Called with each timing when its call has ended. If it throws, a fault is reported and the call continues. */
  readonly onTiming?: (timing: Timing) => void;
}

/** The key of the timings in a run's result, in the order of their ends: `result.values.get(timings)`. */
export const timings = resultKey<readonly Timing[]>("timings", {
  save: (all) => all,
  load: (all) => all as readonly Timing[],
});

/** The maximum number of calls in a run's result. `onTiming` receives all calls. */
const most = 1000;

/**
 * Measures the duration of each call. Timings are passed to `onTiming` and stored in the run's result if the framework
 * has one.
 *
 * @throws {LoggingError} `ERR_LOGGING_OPTION`
 * @example
 * ```ts
 * const result = await createAgent({ plugins: [timing()], … }).run("Where is my order?");
 * for (const { kind, name, milliseconds } of result.values.get(timings) ?? []) console.log(kind, name, milliseconds);
 * ```
 */
export function timing(options: TimingOptions = {}): Plugin {
  options = checkOptions("timing", options, { onTiming: callable });
  const { onTiming } = options;

  function hook<K extends Kind>(kind: K) {
    return async (invocation: Invocation<K>, callNext: () => Promise<void>): Promise<void> => {
      const { runtime } = invocation;
      const name = calls[kind].name(invocation.request);
      const started = performance.now();
      let first: number | undefined;
      const ended = ({ status }: { readonly status: Timing["status"] }): void => {
        const measured: Timing = {
          kind,
          ...(name !== undefined && { name }),
          milliseconds: performance.now() - started,
          ...(first !== undefined && { millisecondsToFirstChunk: first - started }),
          status,
        };
        const all = runtime.get(timings) as Timing[] | undefined;
        if (all === undefined) runtime.set(timings, [measured]);
        else if (all.length < most) all.push(measured);
        try {
          onTiming?.(measured);
        } catch (error) {
          runtime.notify({ type: "fault", where: "timing.onTiming", error, call: invocation.call });
        }
      };
      try {
        await callNext();
      } catch (error) {
        ended({ status: "failed" });
        throw error;
      }
      invocation.pipe({
        chunk(chunk, emit) {
          first ??= performance.now();
          emit(chunk);
        },
        settle: ended,
      });
    };
  }

  return definePlugin({
    name: "timing",
    single: true,
    whereOffered: kinds,
    ...(Object.fromEntries(kinds.map((kind) => [kind, hook(kind)])) as Partial<Plugin>),
  } satisfies Plugin as Plugin);
}
