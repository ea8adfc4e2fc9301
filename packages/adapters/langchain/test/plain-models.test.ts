import { expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { definePlugin } from "@suite/core";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { createMiddleware } from "langchain";
import { withPlugins } from "../src/index.js";
import { asks, collect, useServer } from "./support.js";

const world = useServer();

/** Members by which LangChain tells that tools can be bound. */
const asLangChainKnowsThem = { lc_runnable: true, _modelType: () => "x", _streamResponseChunks() {}, _generate() {} };

/** A stand-in for a model, as tests make them: of no class. */
const standIn = (answer: unknown = new AIMessage("Mail ada@x.y now.")) => {
  const asked: unknown[] = [];
  const model = {
    ...asLangChainKnowsThem,
    getName: () => "stand-in",
    bindTools: () => model,
    withStructuredOutput: () => ({ invoke: async () => ({ of: "ada@x.y" }) }),
    async invoke(input: unknown) {
      asked.push(input);
      return answer;
    },
  };
  return { asked, model: model as never };
};

it("a plain object that can be invoked is a model as any other: layers have what it is asked, and what it answers", async () => {
  const { asked, model } = standIn();
  const { createAgent } = withPlugins(langchain, [redacting()]);
  const { messages } = await createAgent({ model }).invoke(asks("I am eve@x.y here."));
  expect(messages.at(-1)?.text).toBe("Mail [EMAIL] now.");
  expect((asked as BaseMessage[][])[0]?.map(({ text }) => text)).toEqual(["I am [EMAIL] here."]);
});

it("so is an instance of a class that LangChain does not know", async () => {
  class StandIn {
    readonly _streamResponseChunks = () => {};
    bindTools() {
      return this;
    }
    async invoke() {
      return new AIMessage("Mail ada@x.y now.");
    }
  }
  const { createAgent } = withPlugins(langchain, [redacting()]);
  const { messages } = await createAgent({ model: new StandIn() as never }).invoke(asks("Hello."));
  expect(messages.at(-1)?.text).toBe("Mail [EMAIL] now.");
});

it("what nobody changes is the very same message", async () => {
  const answer = new AIMessage("Yes.");
  const { model } = standIn(answer);
  const idle = definePlugin({
    name: "idle",
    async model(_, callNext) {
      await callNext();
    },
  });
  const { messages } = await withPlugins(langchain, [idle]).createAgent({ model }).invoke(asks("Hello."));
  expect(messages.at(-1)).toBe(answer);
});

it("what streams in a model that it hides, nobody hears past the layers", async () => {
  const hidden = world.model();
  const model = { ...asLangChainKnowsThem, bindTools: () => model, invoke: (input: never) => hidden.invoke(input) };
  const { createAgent } = withPlugins(langchain, [redacting()]);
  world.server.script({ text: "Mail ada@x.y now.", chunks: 3 });
  const agent = createAgent({ model: model as never });
  const all = JSON.stringify(await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "values"] })));
  expect([all.includes("[EMAIL]"), all.includes("ada@x.y")]).toEqual([true, false]);
});

it("a middleware that asks it by itself asks it through the layers, for a structured answer too", async () => {
  const { model, asked } = standIn();
  const given: unknown[] = [];
  const asking = createMiddleware({
    name: "asking",
    async wrapModelCall(request, handler) {
      const model = request.model as never as {
        invoke(input: unknown): Promise<unknown>;
        withStructuredOutput(schema: object): unknown;
      };
      given.push(((await model.invoke("I am eve@x.y here.")) as AIMessage).text);
      given.push(await (model.withStructuredOutput({}) as { invoke(input: unknown): Promise<unknown> }).invoke("Who?"));
      return handler(request);
    },
  });
  const { createAgent } = withPlugins(langchain, [redacting()]);
  await createAgent({ model, middleware: [asking] }).invoke(asks("Hello."));
  expect(given).toEqual(["Mail [EMAIL] now.", { of: "[EMAIL]" }]);
  expect(JSON.stringify(asked)).not.toContain("eve@x.y");
});
