import type { Kind } from "../contract/kinds.js";
import type { Notification } from "../contract/notification.js";
import type { RunSettlement, Settlement } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import { type Redactor, redactorsKey } from "../contract/redactor.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { MiddlewareTermination } from "../contract/termination.js";
import { CoreError } from "../errors.js";
import type { FlowOwner } from "./flow-owner.js";
import { lastWords } from "./limit.js";

/** The outermost call of a run. */
export interface RootCall {
  readonly kind: Kind;
  /** The settlement, or `undefined` while the call is open. */
  readonly settlement: Settlement<unknown> | undefined;
}

/** The reason why the run was stopped. */
export type Stopped = { readonly reason: unknown } | undefined;

const completed: RunSettlement = Object.freeze({ status: "completed" });

/**
 * Returns the end of a run: that of its outermost call, unless the adapter has reported another.
 *
 * @param ending the adapter's report: an error, or the reason why a layer ended the run.
 */
export function endOfRun(
  root: RootCall | undefined,
  ending: { readonly error: unknown } | { readonly by: unknown } | undefined,
  stopped: Stopped,
): RunSettlement {
  if (ending !== undefined && "error" in ending) return endBy(ending.error, stopped);
  const settlement = root?.settlement;
  if (settlement === undefined) return stopped === undefined ? completed : { status: "cancelled", ...stopped };
  if (settlement.status === "failed") return endBy(settlement.error, stopped);
  if (settlement.status !== "completed") return settlement;
  return ending === undefined ? completed : { status: "terminated", by: ending.by };
}

/** Returns the end for an error. A layer's termination is not a failure, nor is a framework's error after an abort. */
function endBy(error: unknown, stopped: Stopped): RunSettlement {
  if (MiddlewareTermination.is(error)) return { status: "terminated", by: error };
  if (stopped !== undefined) return { status: "cancelled", ...stopped };
  return isLetGo(error) ? { status: "cancelled", reason: error } : { status: "failed", error };
}

const isLetGo = (error: unknown): boolean => CoreError.is(error) && error.code === "ERR_CANCELLED";

/**
 * Calls the `end` of the plugins from `first` on, one after the other. Returns `undefined` if there is nothing to wait
 * for.
 */
export function endPlugins(
  plugins: readonly Plugin[],
  run: RuntimeContext & Pick<FlowOwner, "fault" | "caller">,
  settlement: () => RunSettlement,
  stopped: () => boolean,
  first = 0,
): Promise<void> | undefined {
  for (let index = first; index < plugins.length; index++) {
    const plugin = plugins[index] as Plugin;
    if (plugin.end === undefined) continue;
    const failed = (error: unknown): void => run.fault(`end of ${plugin.name}`, error);
    try {
      const work: unknown = plugin.end(run, settlement());
      if (!isPromise(work)) continue;
      return lastWords(work, stopped(), run.caller)
        .then(undefined, failed)
        .then(() => endPlugins(plugins, run, settlement, stopped, index + 1));
    } catch (error) {
      failed(error);
    }
  }
  return undefined;
}

const isPromise = (work: unknown): work is PromiseLike<unknown> =>
  typeof work === "object" && work !== null && "then" in work && typeof work.then === "function";

/**
 * Calls the `begin` of the plugins, in order.
 *
 * @param refused receives the plugins before the one that throws. Their `end` is called.
 * @throws the error of a plugin's `begin`.
 */
export function beginPlugins(
  plugins: readonly Plugin[],
  run: RuntimeContext & Pick<FlowOwner, "fault">,
  refused: (begun: readonly Plugin[], error: unknown) => void,
): void {
  for (const plugin of plugins) {
    if (plugin.begin === undefined) continue;
    try {
      const work: unknown = plugin.begin(run);
      if (work instanceof Promise) work.catch((error) => run.fault(`begin of ${plugin.name}`, error));
    } catch (error) {
      refused(plugins.slice(0, plugins.indexOf(plugin)), error);
      throw error;
    }
  }
}

const none: readonly never[] = Object.freeze([]);

/** Returns the redactors of the plugins and of the parent run. */
export function boundRedactors(plugins: readonly Plugin[], parent: RuntimeContext | undefined): readonly Redactor[] {
  const outer = parent?.get(redactorsKey) ?? none;
  const added = plugins.flatMap((plugin) => plugin.redactor ?? none);
  return added.length === 0 ? outer : Object.freeze([...outer, ...added]);
}

/**
 * Calls `observe` of these plugins. Errors are reported to all plugins. A fault without an observer is logged to the
 * console.
 */
export function notifyPlugins(notification: Notification, plugins: readonly Plugin[], runtime: RuntimeContext): void {
  let observed = false;
  for (const plugin of plugins) {
    if (plugin.observe === undefined) continue;
    const failed = (error: unknown): void => {
      if (notification.type !== "fault") runtime.notify({ type: "fault", where: `observe of ${plugin.name}`, error });
    };
    try {
      const work: unknown = plugin.observe(notification, runtime);
      if (work instanceof Promise) work.catch(failed);
      observed = true;
    } catch (error) {
      failed(error);
    }
  }
  if (!observed && notification.type === "fault") {
    // The message may contain personal data. The name and the place are enough to find the error.
    console.error(`@suite/core: ${notification.where} threw ${nameOf(notification.error)}`);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
