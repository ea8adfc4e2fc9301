import { describe, expect, it, jest } from "@jest/globals";
import { MiddlewareTermination, message, type Reply, type Tool } from "@suite/core";
import type { AskOptions, AskRequest } from "@suite/core/contract";
import { type ToolEmulatorOptions, ToolsError, toolEmulator } from "@suite/tools";
import { Rig } from "./rig.js";

const says = (text: string): Reply => ({ message: message("assistant", text), finishReason: "stop" });

/** A run in which a model plays tools, and answers so. */
function playing(options: ToolEmulatorOptions = {}, answer: () => Reply | Promise<Reply> = () => says("shipped")) {
  const rig = new Rig([toolEmulator(options)]);
  const asked: { readonly request: AskRequest; readonly options: AskOptions }[] = [];
  (rig.run as { ask?: unknown }).ask = async (request: AskRequest, options: AskOptions) => {
    asked.push({ request, options });
    return answer();
  };
  const execute = jest.fn(() => "really");
  const tool: Tool = { name: "find_order", description: "Finds an order.", parameters: { type: "object" }, execute };
  const call = (input: unknown = { id: 17 }, other = tool) => rig.call(other, input);
  return { rig, asked, execute, tool, call };
}

describe("toolEmulator", () => {
  it("gives what a model makes up, from tool and call, and runs nothing", async () => {
    const { asked, execute, call, rig } = playing({ model: "small" });
    expect(await call()).toBe("shipped");
    expect(execute).not.toHaveBeenCalled();
    const told = JSON.stringify(asked[0]?.request.messages);
    for (const part of ["find_order", "Finds an order.", '\\"id\\":17']) expect(told).toContain(part);
    expect(asked[0]?.options).toMatchObject({ purpose: "emulate_tool", model: "small", parent: { kind: "tool" } });
    expect(rig.decided("emulated")).toMatchObject([{ enforced: true, details: { tool: "find_order" } }]);
  });

  it("plays the tools that were named, and none by an empty list", async () => {
    const some = playing({ tools: ["refund"] });
    expect(await some.call()).toBe("really");
    expect(await some.call({}, { ...some.tool, name: "refund" })).toBe("shipped");
    expect(await playing({ tools: [] }).call()).toBe("really");
  });

  it("tells the model of the calls before, of this run alone, so that results fit each other", async () => {
    const { asked, call } = playing();
    await call({ id: 17 });
    await call({ id: 18 });
    expect(JSON.stringify(asked[0])).not.toContain("Calls before");
    expect(JSON.stringify(asked[1])).toMatch(/find_order\(.*17.*\) gave shipped/);
    const forgets = playing({ remembers: false });
    await forgets.call();
    await forgets.call();
    expect(JSON.stringify(forgets.asked)).not.toContain("Calls before");
  });

  // In another system an emulator that fails ends the run.
  it.each([
    ["fails", () => Promise.reject(new Error("503"))],
    ["is answered for by a layer", () => ({ message: message("assistant", "The limit is reached.") })],
    ["is filtered", () => ({ ...says("x"), finishReason: "content_filter" as const })],
  ])("fails the call, and never runs the tool, if the model %s", async (_, answer) => {
    const { execute, call, rig } = playing({}, answer);
    expect(await call()).toBe("find_order could not be emulated, and was not run.");
    expect(execute).not.toHaveBeenCalled();
    expect(rig.decided("failed")).toHaveLength(1);
  });

  it("fails in the same way if no model is available, and ends if a layer ends the run", async () => {
    const rig = new Rig([toolEmulator()]);
    expect(await rig.call({ name: "pay" }, {})).toBe("pay could not be emulated, and was not run.");
    const ended = playing({}, () => Promise.reject(new MiddlewareTermination("spent")));
    await expect(ended.call()).rejects.toThrow("spent");
  });

  it("tells in monitor mode what it would play, and runs the tool", async () => {
    const { asked, call, rig } = playing({ mode: "monitor" });
    expect(await call()).toBe("really");
    expect(asked).toEqual([]);
    expect(rig.decided("emulated")).toMatchObject([{ enforced: false }]);
  });

  it("bounds what the model is told", async () => {
    const { asked, call } = playing({}, () => says("y".repeat(100_000)));
    for (let at = 0; at < 30; at++) await call({ text: "x".repeat(10_000) });
    expect(JSON.stringify(asked.at(-1)).length).toBeLessThan(100_000);
  });

  it.each([{ tools: "x" }, { tools: [1] }, { prompt: "" }, { remembers: 1 }, { mode: "on" }, { other: 1 }])(
    "refuses the options %j",
    (options) => expect(() => toolEmulator(options as ToolEmulatorOptions)).toThrow(ToolsError),
  );
});
