import type { ExternalResultNotification } from "@suite/core";

type Times = Pick<ExternalResultNotification, "handedOutAt" | "returnedAt" | "startedAt" | "endedAt">;

/**
 * The interval in which a tool ran elsewhere, in milliseconds since the epoch: as its result reports, as far as that is
 * between handing out and return, which this side's clock tells; where it reports nothing, or nonsense, all of the time
 * in between.
 */
export function intervalOf({ handedOutAt, returnedAt, startedAt, endedAt }: Times): { start: number; end: number } {
  const last = Math.max(handedOutAt, returnedAt);
  const start = clamp(reported(startedAt, handedOutAt), handedOutAt, last);
  return { start, end: clamp(reported(endedAt, last), start, last) };
}

const reported = (time: number | undefined, otherwise: number): number =>
  time !== undefined && Number.isFinite(time) ? time : otherwise;

const clamp = (time: number, from: number, to: number): number => Math.min(Math.max(time, from), to);
