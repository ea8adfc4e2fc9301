import { expect, test } from "@jest/globals";
import { definePlugin, type Redactor, redactorOf } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";

const plain = (word: string): Redactor => ({
  redact: (text) => text.replaceAll(word, "-"),
  value: (value) => value,
});
const replacing = (word: string): Redactor => ({
  ...plain(word),
  replacing: (replace) => ({ redact: (text) => text.replaceAll(word, replace(word, "word")), value: (value) => value }),
});

test("of several redactors, those that can be told what to put in are, and the others do as before", async () => {
  const stack = new PluginStack([
    definePlugin({ name: "one", redactor: replacing("one") }),
    definePlugin({ name: "two", redactor: plain("two") }),
    definePlugin({ name: "three", redactor: replacing("three") }),
  ]);
  const run = stack.begin();
  const redactor = redactorOf(run.runtime);
  expect(redactor?.redact("one two three")).toBe("- - -");
  expect(redactor?.replacing?.((value) => value.toUpperCase()).redact("one two three")).toBe("ONE - THREE");
  await run.end();
  await stack.close();
});
