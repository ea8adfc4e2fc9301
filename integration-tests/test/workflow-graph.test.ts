import { expect, it, jest } from "@jest/globals";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { workflow } from "@suite/agent";
import { withPlugins } from "@suite/langchain";
import * as langchain from "langchain";
import { asks, useServer } from "../../packages/adapters/langchain/test/support.js";
import { watched } from "../watched.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

it("a graph in a workflow is one run, in which those of its agents are", async () => {
  world.server.script({ text: "Facts." }, { text: "Done." });
  const watch = watched({ apply: { output: true } });
  const { createAgent } = withPlugins(langchain, watch.plugins);
  const node = (name: string) => {
    const agent = createAgent({ model: world.model(), tools: [], name });
    return async (state: typeof MessagesAnnotation.State) => {
      const { messages } = await agent.invoke({ messages: state.messages });
      return { messages };
    };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("research", node("researcher"))
    .addNode("write", node("writer"))
    .addEdge(START, "research")
    .addEdge("research", "write")
    .addEdge("write", END)
    .compile();
  const report = workflow("report", async (topic: string) => (await graph.invoke(asks(topic))).messages.at(-1)?.text, {
    plugins: watch.plugins.filter(({ name }) => name !== "pii"),
  });
  expect(await report("Tea")).toBe("Done.");
  expect(watch.tree()).toEqual([
    "invoke_workflow report",
    "  invoke_agent researcher",
    "    chat gpt-5",
    "  invoke_agent writer",
    "    chat gpt-5",
  ]);
  await watch.written();
});
