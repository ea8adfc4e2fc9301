import { inTime } from "@suite/kit/time";
import { sendBeforeCrash } from "./crash/crash.js";

/** Maximum time in milliseconds that the end of a process is delayed by unsent data. */
const LIMIT = 5000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Flushes before the process ends: when it is idle, on SIGTERM and SIGINT, and on an uncaught error. An uncaught error
 * ends the process as usual. The program's signal handlers run as usual and decide when the process ends. If there are
 * none, the process ends by that signal after the flush. A second signal ends it at once.
 *
 * @returns a function that removes the handlers
 */
export function flushOnExit(flush: () => Promise<void>): () => void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    // Read before the flush: a one-time handler of the program is removed by the time the flush is over.
    const alone = process.listenerCount(signal) === 1;
    process.off(signal, onSignal);
    await withinLimit(flush);
    if (alone) process.kill(process.pid, signal);
  };
  const onIdle = (): void => void withinLimit(flush);
  const onCrash = (): void => {
    const handled = process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
    if (!handled) sendBeforeCrash(() => void flush().catch(() => {}));
  };
  // Added first, since a program's handler that exits at once would prevent the flush.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  process.once("beforeExit", onIdle);
  process.on("uncaughtExceptionMonitor", onCrash);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("beforeExit", onIdle);
    process.off("uncaughtExceptionMonitor", onCrash);
  };
}

/** Waits for the flush, up to the limit. Its failures are reported elsewhere. */
async function withinLimit(flush: () => Promise<void>): Promise<void> {
  await inTime(
    flush().catch(() => {}),
    LIMIT,
  );
}
