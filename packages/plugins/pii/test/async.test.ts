import { describe, expect, it, jest } from "@jest/globals";
import { type AsyncStream, createRedactor, type RecognizerFunction, type Rule, type Rules } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

/** Finds names, some time later. */
const names: RecognizerFunction = async (text) => {
  await Promise.resolve();
  return Array.from(text.matchAll(/Jane|Bob(?: Roe)?/g), ({ index, 0: name }) => ({
    start: index,
    end: index + name.length,
  }));
};
const person = (rule: Partial<Rule> = {}): Rules => ({
  person: { recognizer: names, strategy: "redact", ...rule },
  email: "redact",
});
const never: RecognizerFunction = () => new Promise(() => {});
const text = "Jane wrote to bob@x.com, and Bob Roe answered.";
const treated = "[REDACTED_PERSON] wrote to [REDACTED_EMAIL], and [REDACTED_PERSON] answered.";

async function pieced(stream: AsyncStream, whole: string, cuts: readonly number[]): Promise<string> {
  const out: Promise<string>[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    out.push(stream.push(whole.slice(from, cut)));
    from = Math.max(from, cut);
  }
  out.push(stream.push(whole.slice(from)), stream.end());
  return (await Promise.all(out)).join("");
}

describe("an async recogniser", () => {
  it("is waited for in redactAsync, detectAsync, valueAsync and streamAsync", async () => {
    const redactor = createRedactor(person());
    expect(await redactor.redactAsync(text)).toBe(treated);
    expect((await redactor.detectAsync(text)).map(({ type, start }) => [type, start])).toEqual([
      ["person", 0],
      ["email", 14],
      ["person", 29],
    ]);
    expect(await redactor.valueAsync({ said: [text, 7], Jane: new Map([["to", "Bob"]]) })).toEqual({
      said: [treated, 7],
      "[REDACTED_PERSON]": new Map([["to", "[REDACTED_PERSON]"]]),
    });
    const stream = redactor.streamAsync();
    expect((await stream.push(text)) + (await stream.end())).toBe(treated);
  });

  it("throws ERR_PII_NEEDS_ASYNC in synchronous methods", () => {
    const redactor = createRedactor(person());
    const error = expect.objectContaining({ code: "ERR_PII_NEEDS_ASYNC", types: ["person"] });
    for (const call of [
      () => redactor.redact("no one"),
      () => redactor.redact(""),
      () => redactor.detect("no one"),
      () => redactor.value({ a: "no one" }),
      () => redactor.stream(),
    ]) {
      expect(call).toThrow(error);
    }
  });

  it("is an async function, or a function whose rule has a timeout", async () => {
    const plain: RecognizerFunction = (text) => Promise.resolve(names(text, { signal: new AbortController().signal }));
    const redactor = createRedactor(person({ recognizer: plain, timeout: 1000 }));
    expect(await redactor.redactAsync(text)).toBe(treated);
    for (const undeclared of [plain, (): never => Promise.reject(new Error("Jane")) as never]) {
      expect(() => createRedactor(person({ recognizer: undeclared })).redact(text)).toThrow(
        expect.objectContaining({ code: "ERR_PII_DETECTION_FAILED", message: expect.stringContaining("timeout") }),
      );
    }
  });

  it("is weighed by its rule like any other recogniser", async () => {
    const weighed = createRedactor(person({ score: 0.3, context: ["name"], allow: ["Bob"] }));
    expect(await weighed.redactAsync("Jane, her name: Jane, name: Bob")).toBe(
      "Jane, her name: [REDACTED_PERSON], name: Bob",
    );
  });

  it("searches each string once, and not the empty one", async () => {
    const asked: string[] = [];
    const redactor = createRedactor({
      person: {
        recognizer: async (text) => {
          asked.push(text);
          return [];
        },
        strategy: "redact",
      },
    });
    await redactor.valueAsync(["a", "b", "a", "", { a: "b" }]);
    expect(asked.sort()).toEqual(["a", "b"]);
  });

  it("may block, so that nothing is returned", async () => {
    const redactor = createRedactor(person({ strategy: "block" }));
    await expect(redactor.redactAsync(text)).rejects.toMatchObject({ code: "ERR_PII_BLOCKED", types: ["person"] });
    const stream = redactor.streamAsync();
    await stream.push("Jane");
    await expect(stream.end()).rejects.toMatchObject({ code: "ERR_PII_BLOCKED" });
    await expect(stream.push("more")).rejects.toMatchObject({ code: "ERR_PII_BLOCKED" });
  });

  it("creates tokens that can be restored", async () => {
    const redactor = createRedactor(person({ strategy: "tokenize" }));
    const tokens = await redactor.redactAsync("Jane and Bob and Jane");
    expect(tokens).toMatch(/^<PERSON_1_(\w+)> and <PERSON_2_\1> and <PERSON_1_\1>$/);
    expect(redactor.restore(tokens)).toBe("Jane and Bob and Jane");
  });
});

describe("without async rules,", () => {
  const rules: Rules = { email: "redact", phone: "mask", ticket: { recognizer: /TCK-\d{6}/, strategy: "redact" } };
  const texts = fc.array(fc.constantFrom("jane@x.com", " ", "+1 212 555 0147", "TCK-123456", "a", "1 ", "\ud83d"));

  it("redactAsync and streamAsync give what redact gives", async () => {
    const redactor = createRedactor(rules);
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(60)), async (pieces, cuts) => {
        const whole = pieces.join("");
        const expected = redactor.redact(whole);
        expect(await redactor.redactAsync(whole)).toBe(expected);
        expect(await redactor.detectAsync(whole)).toEqual(redactor.detect(whole));
        expect(await pieced(redactor.streamAsync(), whole, cuts)).toBe(expected);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("an async stream gives, joined, what redactAsync gives", () => {
  const texts = fc
    .array(
      fc.oneof(
        fc.constantFrom("Jane", "Bob Roe", "Bob", " ", "jane@x.com", "a word ", "😀", "Ja", "ne", "\ud83d"),
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.integer({ min: 1, max: 900 }).map((count) => "filler ".repeat(count)),
      ),
      { maxLength: 20 },
    )
    .map((pieces) => pieces.join(""));

  it.each([
    ["holding all of it", {}],
    ["in windows", { maxLength: 7 }],
  ])("%s, for every cutting", async (_, rule) => {
    const redactor = createRedactor(person(rule));
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 20 }), async (whole, cuts) => {
        const at = cuts.map((cut) => cut % (whole.length + 1));
        expect(await pieced(redactor.streamAsync(), whole, at)).toBe(await redactor.redactAsync(whole));
      }),
      { numRuns: runs(200) },
    );
    const long = `${text} ${"filler ".repeat(200)}`.repeat(3);
    const everywhere = Array.from({ length: long.length }, (__, index) => index);
    const whole = await redactor.redactAsync(long);
    expect(await pieced(redactor.streamAsync(), long, everywhere)).toBe(whole);
    for (const cut of everywhere.filter((at) => at % 13 === 0)) {
      expect(await pieced(redactor.streamAsync(), long, [cut])).toBe(whole);
    }
  });

  it("with a maxLength: gives out text before its end, and asks about each part of it a bounded number of times", async () => {
    let asked = 0;
    const recognizer: RecognizerFunction = async (text, call) => {
      asked += text.length;
      return names(text, call);
    };
    const stream = createRedactor(person({ recognizer, maxLength: 7 })).streamAsync();
    let held = 0;
    let most = 0;
    for (let count = 0; count < 2000; count++) {
      held += 10 - (await stream.push("ten chars ")).length;
      most = Math.max(most, held);
    }
    await stream.end();
    expect(most).toBeLessThan(1024 + 2 * 7 + 64);
    expect(asked).toBeLessThan(1.1 * 20_000);
  });

  it("is refused with onStream refuse", () => {
    expect(() => createRedactor(person({ onStream: "refuse" })).streamAsync()).toThrow(
      expect.objectContaining({ code: "ERR_PII_NOT_STREAMABLE", types: ["person"] }),
    );
  });
});

describe("the time limit", () => {
  it("ends the wait for a recogniser that never answers, and aborts its signal", async () => {
    let aborted = false;
    const recognizer: RecognizerFunction = (_, { signal }) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      return new Promise(() => {});
    };
    const redactor = createRedactor(person({ recognizer, timeout: 5 }));
    await expect(redactor.redactAsync(text)).rejects.toMatchObject({
      code: "ERR_PII_DETECTION_FAILED",
      types: ["person"],
      message: expect.stringContaining("5 ms"),
    });
    expect(aborted).toBe(true);
  });

  it("applies to all strings of a value together", async () => {
    let calls = 0;
    const recognizer: RecognizerFunction = () => {
      calls++;
      return new Promise(() => {});
    };
    const redactor = createRedactor(person({ recognizer, timeout: 5 }));
    const many = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
    await expect(redactor.valueAsync(many)).rejects.toMatchObject({ code: "ERR_PII_DETECTION_FAILED" });
    expect(calls).toBeLessThan(10);
  });

  it("does not delay a failure, after which no more strings are searched", async () => {
    let calls = 0;
    const recognizer: RecognizerFunction = () => {
      calls++;
      return calls === 3 ? Promise.reject(new Error("no")) : new Promise(() => {});
    };
    const redactor = createRedactor(person({ recognizer, timeout: 60_000 }));
    await expect(redactor.valueAsync(["a", "b", "c", "d", "e"])).rejects.toMatchObject({ types: ["person"] });
    expect(calls).toBeLessThan(5);
  });

  it("applies once to a stream whose rule ignores failures", async () => {
    let calls = 0;
    const recognizer: RecognizerFunction = () => {
      calls++;
      return new Promise(() => {});
    };
    const redactor = createRedactor(person({ recognizer, timeout: 5, maxLength: 8, onRecognizerError: "ignore" }));
    const long = `bob@x.com ${"filler ".repeat(1000)}`;
    expect(await pieced(redactor.streamAsync(), long, [2000, 4000, 6000])).toBe(
      `[REDACTED_EMAIL] ${"filler ".repeat(1000)}`,
    );
    expect(calls).toBeLessThan(5);
  });

  it("keeps no timer and no listener of the signal afterwards", async () => {
    jest.useFakeTimers();
    try {
      const { signal } = new AbortController();
      const remove = jest.spyOn(signal, "removeEventListener");
      const add = jest.spyOn(signal, "addEventListener");
      await createRedactor(person()).redactAsync(text, { signal });
      expect(jest.getTimerCount()).toBe(0);
      expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
    } finally {
      jest.useRealTimers();
    }
  });

  it("does not replace the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const reason = new Error("gone");
    const redactor = createRedactor(person({ recognizer: never, timeout: 60_000, onRecognizerError: "ignore" }));
    const stream = redactor.streamAsync({ signal: controller.signal });
    const first = stream.push("Jane");
    const waiting = [redactor.redactAsync(text, { signal: controller.signal }), stream.end(), stream.push("x")];
    await first;
    controller.abort(reason);
    for (const one of waiting) await expect(one).rejects.toBe(reason);
    await expect(redactor.redactAsync(text, { signal: controller.signal })).rejects.toBe(reason);
  });
});
