import type { Plugin } from "../contract/plugin.js";
import type { RuntimeContext } from "../contract/runtime.js";
import type { FlowOwner } from "./flow-owner.js";

/**
 * Tells the plugins that a run begins, in order.
 *
 * @param refused is given those before the one that throws, which have their `end`.
 * @throws what `begin` of a plugin threw.
 */
export function beginPlugins(
  plugins: readonly Plugin[],
  run: RuntimeContext & Pick<FlowOwner, "fault">,
  refused: (begun: readonly Plugin[], error: unknown) => void,
): void {
  for (const [index, plugin] of plugins.entries()) {
    try {
      const work: unknown = plugin.begin?.(run);
      if (work instanceof Promise) work.catch((error) => run.fault(`begin of ${plugin.name}`, error));
    } catch (error) {
      refused(plugins.slice(0, index), error);
      throw error;
    }
  }
}
