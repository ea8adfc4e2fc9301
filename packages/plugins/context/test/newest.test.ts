import { describe, expect, it } from "@jest/globals";
import { type Message, message, toolCall, toolCallResponse } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { historyStart, keptMessages, newestWithin } from "../src/newest.js";
import { histories, newOrphans } from "./histories.js";

const sizeOf = ({ parts }: Message) => JSON.stringify(parts).length;
const isQuestion = ({ role }: Message) => role === "user";

function cut(messages: readonly Message[], bound: number, size = sizeOf) {
  const first = historyStart(messages);
  const newest = newestWithin(messages, first, bound, size);
  return { fits: newest.fits, kept: keptMessages(messages, first, newest), first };
}

describe("the newest part of a history within a bound", () => {
  it("leaves no call and no result alone, keeps the newest question, and begins with the user", () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 4000 }), (messages, bound) => {
        const { kept, first, fits } = cut(messages, bound);
        expect(newOrphans(messages, kept)).toEqual([]);
        expect(kept).toContain(messages.findLast(isQuestion));
        expect(kept.at(-1)).toBe(messages.at(-1));
        expect(kept.slice(0, first)).toEqual(messages.slice(0, first));
        expect(kept[first]?.role).toBe("user");
        const size = kept.slice(first).reduce((sum, each) => sum + sizeOf(each), 0);
        expect(fits).toBe(size <= bound);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("parts no messages of the assistant that follow each other: reasoning stays with its call", () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 4000 }), (messages, bound) => {
        const { kept } = cut(messages, bound);
        for (const [index, each] of messages.entries()) {
          const next = messages[index + 1];
          if (each.role !== "assistant" || next?.role !== "assistant") continue;
          expect(kept.includes(each)).toBe(kept.includes(next));
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("is the complete history if it fits, also if it has results without a call", () => {
    fc.assert(
      fc.property(histories, (messages) => {
        const odd = [...messages.slice(0, 1), message("tool", [toolCallResponse("nobody", "r")]), ...messages.slice(1)];
        for (const all of [messages, odd]) expect(cut(all, 1_000_000).kept).toEqual(all);
      }),
      { numRuns: runs(500) },
    );
  });

  it("is not held together by results that never had a call", () => {
    const history = [
      message("user", "old"),
      message("assistant", "so"),
      message("user", "new"),
      message("tool", [toolCallResponse("nobody", "r")]),
    ];
    expect(cut(history, 2, () => 1).kept).toEqual(history.slice(2));
  });

  it("measures no more than it keeps", () => {
    const history = Array.from({ length: 1000 }, (_, at) => [
      message("user", `${at}`),
      message("assistant", [toolCall(`${at}`, "look", {})]),
      message("tool", [toolCallResponse(`${at}`, "r")]),
    ]).flat();
    let measured = 0;
    const { kept } = cut(history, 30, () => {
      measured++;
      return 1;
    });
    expect(kept).toHaveLength(30);
    expect(measured).toBeLessThan(40);
  });
});
