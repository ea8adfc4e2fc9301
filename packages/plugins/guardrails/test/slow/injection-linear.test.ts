import { describe, expect, it } from "@jest/globals";
import { detectInjection } from "@suite/guardrails";

describe("detection of injected instructions", () => {
  it.each([
    "src=",
    "](",
    "<!--",
    "<a ",
    "{",
    "a",
    "i ",
    "ignore ",
    "[//]: # (",
    "](https://e.x/?{",
    "\u200b",
    "system:",
    "QUJD",
    "<",
    "[",
    "ignore all ",
  ])("takes time linear in a text of %j again and again", (piece) => {
    const long = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
    // Of the processor, in milliseconds: what else the machine does is not counted.
    const time = (given: string): number => {
      const times = [0, 0, 0].map(() => {
        const began = process.cpuUsage();
        detectInjection(given);
        return process.cpuUsage(began).user / 1000;
      });
      return Math.min(...times);
    };
    time(long(20_000));
    // Ten times the text: a hundred times the time would be quadratic.
    expect(time(long(400_000))).toBeLessThan(60 * Math.max(5, time(long(40_000))));
  });
});
