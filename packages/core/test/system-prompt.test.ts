import { describe, expect, it } from "@jest/globals";
import { type Plugin, stateKey } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { codeOf, sleep } from "./support.js";

const add = (text: string): Plugin => ({ name: text, systemPrompt: (prompt) => `${prompt}${text}` });
const addLater = (text: string): Plugin => ({
  name: text,
  async systemPrompt(prompt) {
    await sleep(1);
    return `${prompt}${text}`;
  },
});
const prompted = (plugins: readonly Plugin[]): unknown => {
  const stack = new PluginStack(plugins);
  return stack.systemPrompt("0", stack.begin());
};

describe("the system prompt", () => {
  it("is transformed left to right: the first plugin first", () => {
    expect(prompted([add("1"), add("2"), add("3")])).toBe("0123");
  });

  it("stays what it is, without a promise, where no plugin transforms it", () => {
    expect(prompted([])).toBe("0");
    expect(prompted([{ name: "other" }])).toBe("0");
  });

  it("may be transformed asynchronously, in the same order", async () => {
    const given = prompted([add("1"), addLater("2"), add("3"), addLater("4")]);
    expect(given).toBeInstanceOf(Promise);
    expect(await given).toBe("01234");
  });

  it("is transformed with the run at hand, and with the plugin as this", () => {
    const user = stateKey("user", () => "");
    const plugin = {
      name: "greeting",
      word: "Greet ",
      systemPrompt(_prompt: string, runtime: { get(key: typeof user): string }): string {
        return this.word + runtime.get(user);
      },
    };
    const stack = new PluginStack([plugin]);
    const run = stack.begin();
    run.set(user, "Ada");
    expect(stack.systemPrompt("", run)).toBe("Greet Ada");
  });

  it("lets through what a transform throws, and asks no further one", async () => {
    const error = new Error("theirs");
    const asked: string[] = [];
    const fails = (later: boolean): Plugin => ({
      name: "fails",
      systemPrompt: () => {
        if (later) return Promise.reject(error);
        throw error;
      },
    });
    const next: Plugin = {
      name: "next",
      systemPrompt(prompt) {
        asked.push(prompt);
        return prompt;
      },
    };
    expect(() => prompted([fails(false), next])).toThrow(error);
    expect(await codeOf(prompted([fails(true), next]) as Promise<string>)).toBe(error);
    expect(asked).toEqual([]);
  });
});
