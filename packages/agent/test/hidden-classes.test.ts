import { setFlagsFromString } from "node:v8";
import { expect, test } from "@jest/globals";
import { createAgent, type Model } from "@suite/agent";
import { message, text } from "@suite/core";

/**
 * Whether two objects share V8's hidden class. A literal that goes on behind a spread, or has a getter of its own, makes new
 * ones in each run (Node 20): each stays until the next full garbage collection, which then has most to do.
 */
function sameHiddenClass(): (a: object, b: object) => boolean {
  setFlagsFromString("--allow-natives-syntax");
  try {
    return new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
}

test("runs share the hidden classes of what they make", async () => {
  const seen: object[][] = [];
  const reply = { message: message("assistant", [text("Hello")]) };
  const model: Model = {
    name: "scripted",
    async generate(request, options) {
      seen.push([request, options]);
      return reply;
    },
    async *stream() {},
  };
  const agent = createAgent({ name: "shapes", model });
  for (let run = 0; run < 40; run++) {
    const result = await agent.run("Hello?");
    seen.at(-1)?.push(result);
  }
  const same = sameHiddenClass();
  const [before, after] = seen.slice(-2) as [object[], object[]];
  expect(before.map((made, index) => same(made, after[index] as object))).toEqual(before.map(() => true));
});

test("a client's options give their signal also to a copy", async () => {
  const copied: unknown[] = [];
  const model: Model = {
    name: "scripted",
    async generate(_, options) {
      const copy = { ...options };
      copied.push(copy.signal, options.signal, Object.keys(copy).sort());
      return { message: message("assistant", [text("Hello")]) };
    },
    async *stream() {},
  };
  await createAgent({ name: "copies", model }).run("Hello?");
  expect(copied[0]).toBeInstanceOf(AbortSignal);
  expect(copied[0]).toBe(copied[1]);
  expect(copied[2]).toEqual(["carrierFor", "signal"]);
});
