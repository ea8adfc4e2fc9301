import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textResult } from "./support.js";

/** Makes the tool by which a model finds deferred tools (major 7). */
const toolSearch = (ai as { toolSearch?: (options?: object) => ai.ToolSet[string] }).toolSearch;
const inputSchema = ai.jsonSchema<object>({ type: "object" });
const seen: string[] = [];
const layered = definePlugin({
  name: "layered",
  async tool(invocation, callNext) {
    seen.push(invocation.request.tool.name);
    await callNext();
  },
});
const refusing = definePlugin({
  name: "refusing",
  async tool({ request }, callNext) {
    if (request.tool.name === "search") throw new Error("not allowed");
    await callNext();
  },
});

const called = (toolName: string, input: object) => ({
  content: [{ type: "tool-call" as const, toolCallId: `call_${toolName}`, toolName, input: JSON.stringify(input) }],
  ...ending("tool-calls"),
  warnings: [],
});

async function run(plugins: readonly Plugin[], search?: (options: object) => readonly string[]) {
  seen.length = 0;
  const weatherNow = {
    ...ai.tool({ description: "Tells the weather.", inputSchema, execute: () => "sunny" }),
    deferLoading: true,
  };
  const other = { ...ai.tool({ description: "Sends mail.", inputSchema, execute: () => "sent" }), deferLoading: true };
  const tools = { search: toolSearch?.({ search }), weatherNow, other };
  const { model, asked } = scripted([
    called("search", { query: "weather" }),
    called("weatherNow", {}),
    textResult("Done."),
  ]);
  const { generateText } = withPlugins(ai, plugins);
  const result = await generateText({ model, prompt: "Hi", tools, stopWhen: ai.stepCountIs(4) } as never);
  const offered = asked.map(({ tools: given = [] }) => given.map(({ name }) => name));
  return { outputs: result.steps.flatMap(({ content }) => content), offered };
}

(toolSearch === undefined ? describe.skip : describe)("calls of toolSearch()", () => {
  it("go through the layers of tools, and find what they find without plugins", async () => {
    const bare = await run([]);
    const guarded = await run([layered]);
    expect(seen).toEqual(["search", "weatherNow"]);
    expect(guarded).toEqual(bare);
    expect(bare.offered).toEqual([["search"], ["search", "weatherNow"], ["search", "weatherNow"]]);
  });

  it("go through the layers with a search of the user's", async () => {
    const search = () => ["other", "weatherNow", "unknown"];
    expect(await run([layered], search)).toEqual(await run([], search));
  });

  it("can be refused by a layer", async () => {
    let searched = 0;
    const { outputs } = await run([refusing], () => {
      searched++;
      return [];
    });
    expect(searched).toBe(0);
    expect(outputs.some(({ type }) => type === "tool-error")).toBe(true);
  });
});
