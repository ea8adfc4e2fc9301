import { expect, it } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { definePlugin } from "@suite/core";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";
import { asks } from "./support.js";

it("the model gets the message on wrong arguments without stack frames", async () => {
  const call = { type: "tool_call_chunk" as const, index: 0, id: "c", name: "look", args: '{"at":1}' };
  const model = new ScriptedModel([[{ content: "", tool_call_chunks: [call] }]]);
  const schema = { type: "object", properties: { at: { type: "string" } }, required: ["at"] } as const;
  const look = tool(() => "seen", { name: "look", schema });
  const watching = definePlugin({ name: "watching", tool: async (_, callNext) => callNext() });
  await withPlugins(langchain, [watching])
    .createAgent({ model, tools: [look] })
    .invoke(asks("Hello."));
  const told = model.asked[1]?.at(-1)?.text ?? "";
  expect(told).toContain("look");
  expect(told).toMatch(/schema/i);
  expect(told).not.toMatch(/^\s*at \S/m);
});
