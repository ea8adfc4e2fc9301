import { expect, it, jest } from "@jest/globals";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { definePlugin, type Notification, type RuntimeContext } from "@suite/core";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { tool } from "langchain";
import { z } from "zod";
import { textOf } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { asks, collect, rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

/** A plugin that notes the runs of an agent, and how they ended. */
function noting() {
  const runs: { readonly runtime: RuntimeContext; ended?: string }[] = [];
  const told: Notification[] = [];
  const plugin = definePlugin({
    name: "noting",
    observe: (notification) => void told.push(notification),
    async agent(invocation, callNext) {
      const one: (typeof runs)[number] = { runtime: invocation.runtime };
      runs.push(one);
      await callNext();
      invocation.pipe({
        settle: ({ status }) => {
          one.ended = status;
        },
      });
    },
  });
  return { runs, told, plugin };
}

it("a run goes on in a thread that withConfig named", async () => {
  const { runs, plugin } = noting();
  const asking = tool(() => `They said ${interrupt("Which colour?")}.`, { name: "ask", schema: z.object({}) });
  world.server.script({ toolCalls: [{ name: "ask", arguments: {} }] }, { text: "Done." });
  const agent = withPlugins(langchain, [plugin])
    .createAgent({ model: world.model(), tools: [asking], checkpointer: new MemorySaver() })
    .withConfig({ configurable: { thread_id: "thread-7" } });
  await agent.invoke(asks("Hello."));
  await agent.invoke(new Command({ resume: "red" }));
  expect(runs.map(({ ended, runtime }) => [ended, runtime.sessionId])).toEqual([
    ["suspended", "thread-7"],
    ["completed", "thread-7"],
  ]);
  expect(new Set(runs.map(({ runtime }) => runtime.runId)).size).toBe(1);
});

it("layers of agent change text of the mode messages that withConfig asked for", async () => {
  const once = definePlugin({
    name: "once",
    async agent(invocation, callNext) {
      await callNext();
      invocation.pipe({ chunk: (delta, emit) => emit(upper(delta)) });
    },
  });
  world.server.script({ text: "hello", chunks: 2 });
  const agent = withPlugins(langchain, [once, redacting()] as never[])
    .createAgent({ model: world.model() })
    .withConfig({ streamMode: "messages" } as never);
  expect(textOf(await collect(await agent.stream(asks("Hi."))))).toContain("HE");
});

const upper = <Delta extends { readonly type: string; readonly part?: { readonly type: string } }>(
  delta: Delta,
): Delta =>
  delta.part?.type === "text" && "content" in delta.part
    ? { ...delta, part: { ...delta.part, content: String(delta.part.content).toUpperCase() } }
    : delta;

it("a signal that withConfig brought cancels the run, and nothing fails on the way", async () => {
  const { runs, told, plugin } = noting();
  const controller = new AbortController();
  world.server.script({ chunks: ["One. ", "Two. "], fault: { hang: { textPieces: 1 } } });
  const agent = withPlugins(langchain, [plugin])
    .createAgent({ model: world.model() })
    .withConfig({ signal: controller.signal } as never);
  const reading = (async () => {
    for await (const _ of await agent.stream(asks("Hi."), { streamMode: "messages" }))
      controller.abort(new Error("enough"));
  })();
  await rejection(reading);
  expect([runs.map(({ ended }) => ended), told]).toEqual([["cancelled"], []]);
});
