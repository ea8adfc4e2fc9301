import type { Notification } from "../contract/notification.js";
import type { Plugin } from "../contract/plugin.js";
import type { RuntimeContext } from "../contract/runtime.js";

/** Tells these plugins; what one throws is reported to all. A fault that nobody hears goes to the console. */
export function tellPlugins(notification: Notification, plugins: readonly Plugin[], runtime: RuntimeContext): void {
  let heard = false;
  for (const plugin of plugins) {
    if (plugin.observe === undefined) continue;
    const failed = (error: unknown): void => {
      if (notification.type !== "fault") runtime.notify({ type: "fault", where: `observe of ${plugin.name}`, error });
    };
    try {
      const work: unknown = plugin.observe(notification, runtime);
      if (work instanceof Promise) work.catch(failed);
      heard = true;
    } catch (error) {
      failed(error);
    }
  }
  if (!heard && notification.type === "fault") {
    // The message may hold personal data: the name and the place are enough to find it.
    console.error(`@suite/core: ${notification.where} threw ${nameOf(notification.error)}`);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
