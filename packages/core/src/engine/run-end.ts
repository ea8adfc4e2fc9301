import type { Kind } from "../contract/kinds.js";
import type { RunSettlement, Settlement } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { MiddlewareTermination } from "../contract/termination.js";
import { CoreError } from "../errors.js";
import type { FlowOwner } from "./flow-owner.js";
import { lastWords } from "./limit.js";

/** A call that no other of its run is round. */
export interface RootCall {
  readonly kind: Kind;
  /** Undefined while it is open. */
  readonly settlement: Settlement<unknown> | undefined;
}

/** A reason why nothing may go on. */
export type Stopped = { readonly reason: unknown } | undefined;

const completed: RunSettlement = Object.freeze({ status: "completed" });

/**
 * The end of a run: that of the call which all others were in, unless its adapter knows better.
 *
 * @param told what the adapter says: an error, or what a layer ended the run with.
 */
export function endOfRun(
  root: RootCall | undefined,
  told: { readonly error: unknown } | { readonly by: unknown } | undefined,
  stopped: Stopped,
): RunSettlement {
  if (told !== undefined && "error" in told) return endBy(told.error, stopped);
  const settlement = root?.settlement;
  if (settlement === undefined) return stopped === undefined ? completed : { status: "cancelled", ...stopped };
  if (settlement.status === "failed") return endBy(settlement.error, stopped);
  if (settlement.status !== "completed") return settlement;
  return told === undefined ? completed : { status: "terminated", by: told.by };
}

/** The end by an error: a layer's, on purpose, is no failure, nor is whatever a framework throws after an abort. */
function endBy(error: unknown, stopped: Stopped): RunSettlement {
  if (MiddlewareTermination.is(error)) return { status: "terminated", by: error };
  if (stopped !== undefined) return { status: "cancelled", ...stopped };
  return isLetGo(error) ? { status: "cancelled", reason: error } : { status: "failed", error };
}

const isLetGo = (error: unknown): boolean => CoreError.is(error) && error.code === "ERR_CANCELLED";

/**
 * Tells the plugins from `first` on, in order, each when the one before it is done. Undefined where there is nothing to
 * wait for.
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
