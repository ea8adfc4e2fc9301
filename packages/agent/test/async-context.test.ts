import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import type { Plugin } from "@suite/core";
import { call, scripted } from "./support.js";

describe("a stream that is read elsewhere", () => {
  it.each<[string, (stream: ReturnType<ReturnType<typeof createAgent>["stream"]>) => Promise<unknown>]>([
    [
      "read delta by delta",
      async (stream) => {
        for await (const _ of stream);
      },
    ],
    [
      "read as text",
      async (stream) => {
        for await (const _ of stream.text());
      },
    ],
    ["asked for its result", (stream) => stream.result],
    [
      "read once, and then asked for its result",
      async (stream) => {
        await stream[Symbol.asyncIterator]().next();
        await stream.result;
      },
    ],
  ])("runs in the async context of the place where it was made: %s", async (_, read) => {
    const storage = new AsyncLocalStorage<string>();
    const seen = new Map<string, unknown>();
    const look = (where: string): void => void seen.set(where, storage.getStore());
    const plugin: Plugin = {
      name: "context",
      begin: () => look("begin"),
      async model(_c, next) {
        look("model");
        await next();
      },
    };
    const tool = defineTool({ name: "look", execute: () => look("tool") });
    const model = scripted([call("1", "look")], "done");
    const agent = createAgent({ name: "a", model, tools: [tool], plugins: [plugin] });
    const stream = storage.run("request", () => agent.stream("q"));
    await storage.run("elsewhere", () => read(stream));
    await storage.run("elsewhere", () => stream.result);
    expect([...seen]).toEqual([
      ["begin", "request"],
      ["model", "request"],
      ["tool", "request"],
    ]);
  });
});
