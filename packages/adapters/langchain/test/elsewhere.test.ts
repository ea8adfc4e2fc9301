import { expect, it, jest } from "@jest/globals";
import { Command, MemorySaver } from "@langchain/langgraph";
import * as langchain from "langchain";
import { tool } from "langchain";
import { z } from "zod";
import { watched } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { asks, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

it("a call of a tool that runs elsewhere is one span, in the turn that its result comes back to", async () => {
  const { plugins, tree, written } = watched();
  const locate = tool({ name: "locate", description: "Where it is.", schema: z.object({}) });
  const agent = withPlugins(langchain, plugins).createAgent({
    ...{ name: "support", model: world.model(), tools: [locate], checkpointer: new MemorySaver() },
  });
  const config = { configurable: { thread_id: "t" } };
  world.server.script({ toolCalls: [{ name: "locate", arguments: {} }] }, { text: "Done." });
  await agent.invoke(asks("Where?"), config);
  await agent.invoke(new Command({ resume: "here" }), config);
  await written();
  expect(tree().filter((line) => !line.includes("chat "))).toEqual([
    "invoke_agent support",
    "invoke_agent support",
    "  execute_tool locate",
  ]);
});
