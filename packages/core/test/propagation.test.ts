import { describe, expect, it } from "@jest/globals";
import type { CallId, Notification, Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { type Carrier, incomingKey, type PropagationTarget, propagate, propagatorsKey } from "@suite/core/propagation";
import { copyOfCore } from "./support.js";

const target: PropagationTarget = { kind: "mcp", transport: "stdio" };
const call: CallId = { id: "1", kind: "tool" };

/** A plugin whose requests carry this. */
const carrying = (carrier: Carrier | (() => Carrier | undefined), name = "carrying"): Plugin => ({
  name,
  begin(runtime) {
    runtime.get(propagatorsKey).push({ inject: () => (typeof carrier === "function" ? carrier() : carrier) });
  },
});

describe("what a request carries", () => {
  it("is empty if no plugin returns anything", () => {
    expect(propagate(call, new PluginStack().begin(), target)).toBeUndefined();
    expect(propagate(call, new PluginStack([carrying(() => undefined)]).begin(), target)).toBeUndefined();
  });

  it("is what all plugins say, the last one last", () => {
    const run = new PluginStack([carrying({ a: "1", b: "1" }, "one"), carrying({ b: "2", c: "2" }, "two")]).begin();
    expect(propagate(call, run, target)).toEqual({ a: "1", b: "2", c: "2" });
  });

  it("is asked for by call, run and target", () => {
    const asked: unknown[] = [];
    const run = new PluginStack().begin();
    run.get(propagatorsKey).push({
      inject(...given) {
        asked.push(...given);
        return {};
      },
    });
    propagate(call, run, target);
    expect([asked[0] === call, asked[1] === run, asked[2] === target]).toEqual([true, true, true]);
  });

  it("is that of the parent run if the run has none, and nothing after the end of the parent", async () => {
    const parent = new PluginStack([carrying({ a: "outer" })]).begin();
    const silent = new PluginStack().begin({ parent });
    const own = new PluginStack([carrying(() => undefined)]).begin({ parent });
    expect(propagate(call, silent, target)).toEqual({ a: "outer" });
    expect(propagate(call, own, target)).toBeUndefined();
    await parent.end();
    expect(propagate(call, silent, target)).toBeUndefined();
  });

  it("contains the rest if a propagator throws, which is reported", () => {
    const told: Notification[] = [];
    const broken = new Error("no");
    const throws = carrying(() => {
      throw broken;
    }, "broken");
    const run = new PluginStack([
      { name: "ear", observe: (notification) => void told.push(notification) },
      throws,
      carrying({ a: "1" }),
    ]).begin();
    expect(propagate(call, run, target)).toEqual({ a: "1" });
    expect(told).toEqual([{ type: "fault", call, where: "a propagator", error: broken }]);
  });

  it("is found by every copy of core", async () => {
    const copy = await copyOfCore();
    expect(copy.propagatorsKey).not.toBe(propagatorsKey);
    expect([copy.propagatorsKey.id, copy.incomingKey.id]).toEqual([propagatorsKey.id, incomingKey.id]);
    const run = new PluginStack([carrying({ a: "1" })]).begin();
    expect(copy.propagate(call, run, target)).toEqual({ a: "1" });
  });
});

it("contains nothing of a caller unless the code that begins the run propagates it", () => {
  const run = new PluginStack().begin();
  expect(run.get(incomingKey)).toBeUndefined();
  run.set(incomingKey, { carrier: { traceparent: "…" } });
  expect(run.get(incomingKey)).toEqual({ carrier: { traceparent: "…" } });
});
