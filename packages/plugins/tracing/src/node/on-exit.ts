import { sendBeforeCrash } from "./crash/crash.js";

/** The longest that a process is kept for what it has not sent yet, in milliseconds. */
const LIMIT = 5000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Flushes before the process ends: when it has nothing left to do, on SIGTERM and SIGINT, and where an error that nobody
 * catches ends it, which it does as ever.
 *
 * The program's own handlers of a signal run as ever, and decide when it ends. Where there are none, the process ends
 * by that signal once what is left was sent; a second signal ends it at once.
 *
 * @returns what takes the handlers away again.
 */
export function flushOnExit(flush: () => Promise<void>): () => void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    // Asked now: a handler of the program that was set for one time is gone when the flush is over.
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
  // First in line, or a handler that exits at once would leave it no turn.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  process.once("beforeExit", onIdle);
  process.on("uncaughtExceptionMonitor", onCrash);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("beforeExit", onIdle);
    process.off("uncaughtExceptionMonitor", onCrash);
  };
}

/** Waits for it, but not for ever; whether it succeeds is told elsewhere. */
async function withinLimit(flush: () => Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LIMIT);
  });
  await Promise.race([flush().catch(() => {}), limit]);
  clearTimeout(timer);
}
