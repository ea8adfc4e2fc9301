import { expect, it, jest } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { ToolMessage, type ToolRuntime, tool } from "langchain";
import { z } from "zod";
import { textOf } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { asks, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const schema = z.object({});
const who = "eve@x.y";

const messageOf = (tool_call_id: string, content: string) =>
  new ToolMessage({
    ...{ content, tool_call_id, name: "look", status: "error", id: "m-1" },
    ...{ artifact: { of: who }, additional_kwargs: { by: who }, metadata: { at: who } },
  });

/** An agent whose tool answers with something of LangChain's own. */
async function stateOf(answer: (id: string) => ToolMessage | Command) {
  const { createAgent } = withPlugins(langchain, [redacting()] as never[]);
  const look = tool((_: unknown, { toolCallId }: ToolRuntime) => answer(toolCallId) as never, { name: "look", schema });
  world.server.script({ toolCalls: [{ id: "call_l", name: "look", arguments: {} }] }, { text: "Done." });
  return createAgent({ model: world.model(), tools: [look] }).invoke(asks("Look."));
}

it.each([
  ["its content", `Of ${who}`],
  ["nothing but what stands beside its content", "Seen."],
])("a tool's own message goes through the layers whole, with something to hide in %s", async (_, content) => {
  const { messages } = await stateOf((id) => messageOf(id, content));
  expect([textOf(messages).includes(who), textOf(messages).includes("[EMAIL]")]).toEqual([false, true]);
  expect(messages.find((one) => ToolMessage.isInstance(one))).toMatchObject({
    ...{ tool_call_id: "call_l", name: "look", status: "error", id: "m-1" },
    ...{ artifact: { of: "[EMAIL]" }, additional_kwargs: { by: "[EMAIL]" }, metadata: { at: "[EMAIL]" } },
  });
});

it("the messages of a tool's command go through the layers whole, and keep what else is in them", async () => {
  const call = { id: "call_x", name: "look", args: {}, type: "tool_call" as const };
  const said = new AIMessage({ content: `By ${who}`, tool_calls: [call], id: "a-1" });
  const { messages } = await stateOf((id) => new Command({ update: { messages: [messageOf(id, "Seen."), said] } }));
  expect([textOf(messages).includes(who), textOf(messages).includes("[EMAIL]")]).toEqual([false, true]);
  expect(messages.find(({ id }) => id === "a-1")).toMatchObject({ content: "By [EMAIL]", tool_calls: [call] });
});
