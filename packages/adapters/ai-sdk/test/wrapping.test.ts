import { readFileSync } from "node:fs";
import { describe, expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { audit } from "@suite/audit";
import { definePlugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import * as ai from "ai";
import { major } from "./subject.js";
import { recorder, scripted, textChunks, textResult } from "./support.js";

describe("withPlugins", () => {
  it("gives the module, all else in it being its own", () => {
    const wrapped = withPlugins(ai, [recorder().plugin]);
    expect(wrapped.tool).toBe(ai.tool);
    expect(wrapped.embed).toBe(ai.embed);
    expect(wrapped.generateText).not.toBe(ai.generateText);
    expect(new wrapped.ToolLoopAgent({ model: scripted([]).model })).toBeInstanceOf(ai.ToolLoopAgent);
  });

  it.each([
    "experimental_startBatch",
    "experimental_streamTranslate",
    "experimental_streamTranscribe",
    "experimental_streamSpeech",
    "experimental_streamTextLowMemory",
    "experimental_streamLanguageModelCall",
    "experimental_decide",
    "experimental_evaluate",
    "experimental_extract",
    "experimental_generateVideo",
    "experimental_startVideo",
  ])("withPlugins passes %s of the AI SDK on as it is, and its documentation lists it", (name) => {
    const plain = ai as unknown as Readonly<Record<string, unknown>>;
    expect((withPlugins(ai, [{ name: "idle" }]) as typeof plain)[name]).toBe(plain[name]);
    if (major === "7") expect(plain[name]).toBeDefined();
    const readme = readFileSync(new URL("../../../../docs/details/ai-sdk.md", import.meta.url), "utf8");
    expect(readme.slice(readme.indexOf("## Not covered"))).toContain(`\`${name}\``);
  });

  it("joins what is attached already: nothing runs twice", async () => {
    const { plugin, calls } = recorder();
    const second = recorder();
    const { model } = scripted([textResult("Yes.")]);
    const { generateText } = withPlugins(withPlugins(ai, [plugin]), [plugin, second.plugin]);
    await generateText({ model, prompt: "" });
    expect(calls).toEqual(["agent", "reasoning", "model"]);
    expect(second.calls).toEqual(calls);
  });

  it("takes an agent as well, which is left as it was", async () => {
    const { plugin, calls } = recorder();
    const { model } = scripted([textResult("Yes."), textChunks("Yes."), textResult("Yes.")]);
    const agent = new ai.ToolLoopAgent({ id: "desk", model });
    const wrapped = withPlugins(agent, [plugin]);
    expect(wrapped.id).toBe("desk");
    expect((await wrapped.generate({ prompt: "" })).text).toBe("Yes.");
    expect(await (await wrapped.stream({ prompt: "" })).text).toBe("Yes.");
    expect(calls).toEqual(["agent", "reasoning", "model", "agent", "reasoning", "model"]);
    await agent.generate({ prompt: "" });
    expect(calls).toHaveLength(6);
  });

  it("joins what the class of an agent has attached already", async () => {
    const { plugin, calls } = recorder();
    const second = recorder();
    const { ToolLoopAgent } = withPlugins(ai, [plugin]);
    const agent = withPlugins(new ToolLoopAgent({ model: scripted([textResult("Yes.")]).model }), [
      plugin,
      second.plugin,
    ]);
    expect((await agent.generate({ prompt: "" })).text).toBe("Yes.");
    expect(calls).toEqual(["agent", "reasoning", "model"]);
    expect(second.calls).toEqual(calls);
  });

  it("lets an agent prepare its calls, and wraps what it prepares", async () => {
    const { plugin, calls } = recorder();
    const other = scripted([textResult("The other.")]);
    const { ToolLoopAgent } = withPlugins(ai, [plugin]);
    const agent = new ToolLoopAgent({
      model: scripted([]).model,
      prepareCall: ({ prompt, ...call }) => ({ ...call, model: other.model, prompt: `${prompt}!` }),
    });
    expect((await agent.generate({ prompt: "Who" })).text).toBe("The other.");
    expect(JSON.stringify(other.asked[0]?.prompt)).toContain("Who!");
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });

  it("refuses a plugin that requires what the framework has no place for", () => {
    const guard = definePlugin({ name: "guard", compressContext: async (_, next) => next() });
    // @ts-expect-error the framework compresses nothing
    expect(() => withPlugins(ai, [guard])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
  });

  it("accepts tracing, pii and audit, whatever pii applies to", () => {
    const apply = {
      output: true,
      toolArguments: true,
      toolResults: true,
      systemPrompt: true,
      humanInput: true,
      errors: true,
    };
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    expect(withPlugins(ai, [tracing(), pii({ email: "redact" }, { apply }), audit()])).toBeDefined();
    warn.mockRestore();
  });

  it("refuses what is neither the module nor an agent", () => {
    for (const plugins of [[], [recorder().plugin]]) {
      expect(() => withPlugins({}, plugins)).toThrow(expect.objectContaining({ code: "ERR_AI_SDK_TARGET" }));
    }
  });
});
