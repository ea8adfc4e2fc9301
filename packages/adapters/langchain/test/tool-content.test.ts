import { expect, it, jest } from "@jest/globals";
import type { BaseMessage } from "@langchain/core/messages";
import { definePlugin, type Plugin } from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { ToolMessage, tool } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

const image = { type: "blob", modality: "image", mimeType: "image/png", content: "iVBORw0KGgo=" } as const;
const block = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };

/** The content of the tool's message in an agent's state. */
async function contentOf(plugins: readonly Plugin[], answer?: () => unknown): Promise<unknown> {
  const { createAgent } = withPlugins(langchain, plugins as never[]);
  const tools = answer === undefined ? [] : [tool(answer as () => string, { name: "look", schema: z.object({}) })];
  world.server.script({ toolCalls: [{ id: "call_l", name: "look", arguments: {} }] }, { text: "Done." });
  const { messages } = await createAgent({ model: world.model(), tools }).invoke(asks("Look."));
  return (messages as readonly BaseMessage[]).find((one) => ToolMessage.isInstance(one))?.content;
}

it("the content of a tool's result is LangChain's blocks, with nothing round the tool and with layers", async () => {
  const idle = definePlugin({ name: "idle", tool: (_, next) => next() });
  const content = [{ type: "text", text: "Seen:" }, block];
  expect(await contentOf([idle], () => toolContent(["Seen:", image]))).toEqual(content);
  const eyes = definePlugin({
    name: "eyes",
    tools: () => [{ name: "look", execute: () => toolContent(["Seen:", image]) }],
  });
  expect(await contentOf([eyes])).toEqual(content);
});

it("an answer of a layer in the tool's place is blocks, too", async () => {
  const instead = definePlugin({
    name: "instead",
    async tool(invocation) {
      invocation.respond({ value: toolContent([image]) });
    },
  });
  expect(await contentOf([instead], () => "unused")).toEqual([block]);
});

it("a guard checks the text of LangChain's blocks, and their image passes unchanged", async () => {
  const answer = () => [{ type: "text", text: "Of eve@x.y!" }, block];
  expect(await contentOf([redacting()], answer)).toEqual([{ type: "text", text: "Of [EMAIL]!" }, block]);
});
