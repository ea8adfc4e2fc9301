import { describe, expect, it, jest } from "@jest/globals";
import { WatchedSink } from "../src/log/delivery/watched-sink.js";
import type { AuditRecord } from "../src/record/record.js";

const record = {} as AuditRecord;

/** A sink that answers when it is told to. */
function slow() {
  const waiting: ((error?: Error) => void)[] = [];
  const sink = {
    append: () =>
      new Promise<void>((resolve, reject) => {
        waiting.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    close: async () => {},
  };
  return { sink, waiting };
}

describe("a sink that does not answer", () => {
  const told: string[] = [];
  const watched = (sink: ReturnType<typeof slow>["sink"]) =>
    new WatchedSink(sink, 5000, (text) => void told.push(text));

  it("is warned of, as long as something waits and nothing comes back", async () => {
    jest.useFakeTimers();
    told.length = 0;
    const { sink, waiting } = slow();
    const one = watched(sink);
    const first = one.append(record);
    const second = one.append(record);
    await jest.advanceTimersByTimeAsync(4000);
    waiting[0]?.();
    await first;
    await jest.advanceTimersByTimeAsync(4000);
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([expect.stringContaining("has not answered for 5000 ms")]);
    waiting[1]?.(new Error("no"));
    await expect(second).rejects.toThrow("no");
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told.length).toBe(1);
    jest.useRealTimers();
  });
});
