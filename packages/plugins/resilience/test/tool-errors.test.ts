import { describe, expect, it } from "@jest/globals";
import { definePlugin, MiddlewareTermination } from "@suite/core";
import { ResilienceError, toolErrors } from "@suite/resilience";
import { coded, ToolRig } from "./tool-support.js";

const leaks = (): Error => new RangeError("no row for key hunter2");
const standard = "search failed with RangeError. Continue without it, or try other arguments.";

describe("toolErrors", () => {
  it("tells the model that a tool failed, and of its error nothing but the name", async () => {
    const rig = new ToolRig([toolErrors()], [leaks()]);
    expect(await rig.call()).toEqual({ pieces: [standard], failed: true });
    expect(rig.told).toEqual([
      expect.objectContaining({ decision: "told", place: "search", reason: "the tool failed: RangeError" }),
    ]);
  });

  it("sends the text of a function, which may also leave the error unchanged", async () => {
    const text = (error: unknown) => (error instanceof RangeError ? "Ask for the number." : undefined);
    const plugin = toolErrors({ text });
    expect(await new ToolRig([plugin], [leaks()]).call()).toEqual({ pieces: ["Ask for the number."], failed: true });
    const error = new TypeError("no");
    await expect(new ToolRig([plugin], [error]).call()).rejects.toBe(error);
  });

  it("lets all other errors and tools pass unchanged", async () => {
    const plugin = toolErrors({ errors: [RangeError, "E_BUSY"], tools: ["search"] });
    for (const error of [new TypeError("no"), coded("E_OTHER")]) {
      await expect(new ToolRig([plugin], [error]).call()).rejects.toBe(error);
    }
    const meant = leaks();
    await expect(new ToolRig([plugin], [meant]).call({ tool: { name: "pay" } })).rejects.toBe(meant);
    expect(await new ToolRig([plugin], [coded("E_BUSY")]).call()).toMatchObject({ failed: true });
  });

  const never: readonly (readonly [string, Error])[] = [
    ["a person's refusal", coded("ERR_AGENT_TOOL_REJECTED")],
    ["a person's refusal in the AI SDK", coded("ERR_AI_SDK_TOOL_REJECTED")],
    ["a call that the AI SDK has no place for", coded("ERR_AI_SDK_UNSUPPORTED")],
    ["a call that OpenAI Agents has no place for", coded("ERR_OPENAI_AGENTS_UNSUPPORTED")],
    ["a call that waits", coded("ERR_AGENT_TOOL_WAITS")],
    ["an interrupt of LangGraph", Object.assign(new Error("waits"), { name: "GraphInterrupt" })],
    ["what ends the run on purpose", new MiddlewareTermination("enough")],
    ["what refuses the call on purpose", new MiddlewareTermination("enough", { scope: "call" })],
  ];
  it.each(never)("never makes a message of %s", async (_, error) => {
    const rig = new ToolRig([toolErrors({ errors: () => true })], [error]);
    await expect(rig.call()).rejects.toBe(error);
    expect(rig.told).toEqual([]);
  });

  it("leaves by default what has a message for the model already: refused arguments, errors of the suite", async () => {
    for (const error of [
      coded("ERR_AGENT_TOOL_INPUT"),
      new ResilienceError("ERR_RESILIENCE_TIMEOUT", "It took too long."),
    ]) {
      await expect(new ToolRig([toolErrors()], [error]).call()).rejects.toBe(error);
      const rig = new ToolRig([toolErrors({ errors: () => true })], [error]);
      expect(await rig.call()).toMatchObject({ failed: true });
    }
  });

  it("tells of whatever can be thrown, also of what cannot be looked at", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [
      proxy,
      "a text",
      undefined,
      {
        get name(): string {
          throw new Error("hostile");
        },
      },
    ]) {
      const throws = definePlugin({
        name: "throws",
        async tool() {
          throw thrown;
        },
      });
      expect(await new ToolRig([toolErrors(), throws], []).call()).toMatchObject({ failed: true });
    }
  });

  it("never makes a message of an abort", async () => {
    const controller = new AbortController();
    const rig = new ToolRig([toolErrors({ errors: () => true })], [leaks()], { signal: controller.signal });
    const calling = rig.call();
    controller.abort(new Error("enough"));
    await expect(calling).rejects.toBeInstanceOf(Error);
    expect(rig.told).toEqual([]);
  });

  it("puts its text in place of the message of an error that comes after progress", async () => {
    const cut = leaks();
    const calling = new ToolRig([toolErrors()], [["half", cut]]).call();
    await expect(calling).rejects.toMatchObject({ code: "ERR_RESILIENCE_TOOL_FAILED", message: standard, cause: cut });
    const passes = new ToolRig([toolErrors({ errors: TypeError })], [["half", cut]]).call();
    await expect(passes).rejects.toBe(cut);
  });

  it("changes nothing that succeeds, progress included", async () => {
    const rig = new ToolRig([toolErrors()], [["half", "whole"]]);
    expect(await rig.call()).toEqual({ pieces: ["half", "whole"], failed: false });
    expect(await rig.call()).toEqual({ pieces: ["found"], failed: false });
  });

  it("lets the error pass in monitor mode, and reports the text that it would send", async () => {
    const error = leaks();
    const rig = new ToolRig([toolErrors({ mode: "monitor" })], [error]);
    await expect(rig.call()).rejects.toBe(error);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "told", enforced: false })]);
  });

  it.each([[{ tools: [] }], [{ errors: [] }], [{ text: "no" }], [{ mode: "off" }], [{ error: Error }]])(
    "refuses options that mean nothing: %p",
    (options) => {
      expect(() => toolErrors(options as never)).toThrow(expect.objectContaining({ code: "ERR_RESILIENCE_OPTION" }));
    },
  );
});
