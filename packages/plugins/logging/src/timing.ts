import { definePlugin, type Invocation, type Kind, type Plugin, resultKey } from "@suite/core";
import { callable } from "@suite/core/options";
import { calls, kinds } from "./calls.js";
import { checkOptions } from "./options.js";

/** The time of one call. */
export interface Timing {
  readonly kind: Kind;
  /** The model, the tool, the source that was searched. */
  readonly name?: string;
  /** The time from its beginning to the end of its answer. */
  readonly milliseconds: number;
  /** The time from its beginning to the first piece of its answer; absent where none came. */
  readonly millisecondsToFirstChunk?: number;
  readonly status: "completed" | "failed" | "cancelled" | "suspended";
}

/** The options of `timing`. */
export interface TimingOptions {
  /** Called with each timing when its call has ended. What it throws is told as a fault, and disturbs nothing. */
  readonly onTiming?: (timing: Timing) => void;
}

/** The key under which a run's result has its timings: `result.values.get(timings)`. In the order in which calls ended. */
export const timings = resultKey<readonly Timing[]>("timings", {
  save: (all) => all,
  load: (all) => all as readonly Timing[],
});

/** No run has more calls than this in its result; `onTiming` is told all of them. */
const most = 1000;

/**
 * Takes the time of each call: into the run's result where a framework has a place for it, and to `onTiming`.
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
        const taken: Timing = {
          kind,
          ...(name !== undefined && { name }),
          milliseconds: performance.now() - started,
          ...(first !== undefined && { millisecondsToFirstChunk: first - started }),
          status,
        };
        const all = runtime.get(timings) as Timing[] | undefined;
        if (all === undefined) runtime.set(timings, [taken]);
        else if (all.length < most) all.push(taken);
        try {
          onTiming?.(taken);
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
