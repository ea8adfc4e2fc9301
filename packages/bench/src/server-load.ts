/** A chunk of an answer: ten bytes, without personal data. */
export const WORD = "something ";
/** The chunks of an answer: their number, and the time between two. */
export const CHUNKS = 500;
export const PERIOD_MS = 20;

/** The variants that observe a server. */
export const ways = ["bare", "own telemetry", "tracing, pii, audit"] as const;
export type Ways = (typeof ways)[number];

/** The load that a server is under. */
export interface Load {
  readonly streams: number;
  readonly seconds: number;
}

/** The resources that a server used while it was measured; memory at its most. */
export interface Served {
  readonly seconds: number;
  readonly cpuMicros: number;
  /** The event loop's delay in milliseconds, beyond the resolution. */
  readonly delayP50: number;
  readonly delayP99: number;
  readonly rss: number;
  readonly heap: number;
}

/** A stream of `first`, then of so many chunks, one each period, then of `last`. */
export function paced<T>(first: readonly T[], chunk: T, last: readonly T[]): ReadableStream<T> {
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<T>({
    start(controller) {
      for (const each of first) controller.enqueue(each);
      let sent = 0;
      timer = setInterval(() => {
        if (sent++ < CHUNKS) return controller.enqueue(chunk);
        clearInterval(timer);
        for (const each of last) controller.enqueue(each);
        controller.close();
      }, PERIOD_MS);
    },
    cancel() {
      clearInterval(timer);
    },
  });
}
