import { describe, expect, it } from "@jest/globals";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { StructuredTool } from "@langchain/core/tools";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, collect, TestModel } from "./support.js";

/** A chat model that uses private fields in each of its members. */
class PrivateModel extends TestModel {
  readonly #name = "private-model";
  readonly #pieces = ["Mail eve", "@x.y", " now"];
  #asked = 0;

  constructor() {
    super({});
  }

  override getLsParams() {
    return { ...super.getLsParams({} as never), ls_model_name: this.#name };
  }

  override _identifyingParams() {
    return { name: this.#name };
  }

  override invocationParams() {
    return { model: this.#name };
  }

  override get profile() {
    return { maxInputTokens: this.#pieces.length };
  }

  override bindTools(tools: unknown[] = []): never {
    return this.withConfig({ tags: [this.#name], tools } as never) as never;
  }

  override async _generate(messages: BaseMessage[]) {
    const calls = this.#asked++ === 0 && !messages.some((message) => message.text.includes("just say"));
    const message = new AIMessage({
      content: this.#pieces.join(""),
      ...(calls && { tool_calls: [{ id: "a", name: "look", args: { where: "eve@x.y" } }] }),
    });
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks() {
    for (const text of this.#pieces) yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
  }
}

/** A tool that uses private fields in each of its members. */
class PrivateTool extends StructuredTool {
  readonly #name = "look";
  readonly seen: unknown[] = [];
  override schema = z.object({ where: z.string() });

  override name = "look";

  override get description(): string {
    return `Tool ${this.#name}`;
  }
  override set description(_: string) {}

  protected override async _call(input: unknown): Promise<string> {
    this.seen.push([this.#name, input]);
    return "It is at eve@x.y.";
  }
}

/** A middleware of a class that uses private fields. */
class PrivateMiddleware {
  #told = 0;
  readonly tools: [] = [];

  get name(): string {
    return `private-${this.#told >= 0}`;
  }

  get told(): number {
    return this.#told;
  }

  readonly beforeModel = (): undefined => {
    this.#told++;
  };

  readonly wrapModelCall = (request: unknown, handler: (request: unknown) => unknown): unknown => {
    this.#told++;
    return handler(request);
  };
}

describe("classes with #private fields", () => {
  const { createAgent } = withPlugins(langchain, [redacting()]);

  it("a model and a tool work in an agent, and the layers see all of it", async () => {
    const tool = new PrivateTool();
    const { messages } = await createAgent({ model: new PrivateModel(), tools: [tool] }).invoke(asks("Hello."));
    expect(messages.map(({ text }) => text)).toEqual([
      "Hello.",
      "Mail [EMAIL] now",
      "It is at [EMAIL]",
      "Mail [EMAIL] now",
    ]);
    expect(tool.seen).toEqual([["look", { where: "[EMAIL]" }]]);
  });

  it("a model streams, and the layers see all of it", async () => {
    const agent = createAgent({ model: new PrivateModel() });
    const chunks = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "updates"] }));
    expect(JSON.stringify(chunks)).toContain("[EMAIL]");
    expect(JSON.stringify(chunks)).not.toContain("eve@x.y");
  });

  it("a model describes itself to a middleware, which calls it through the layers", async () => {
    const told: unknown[] = [];
    const middleware = createMiddleware({
      name: "asks",
      async wrapModelCall(request, handler) {
        const model = request.model as unknown as PrivateModel;
        told.push(
          model._identifyingParams(),
          model.getLsParams().ls_model_name,
          model.invocationParams(),
          model.profile,
        );
        told.push(
          (await model.invoke("just say")).text,
          (await (model.bindTools([]) as PrivateModel).invoke("just say")).text,
        );
        return handler(request);
      },
    });
    await createAgent({ model: new PrivateModel(), middleware: [middleware] }).invoke(asks("just say"));
    expect(told).toEqual([
      ...[{ name: "private-model" }, "private-model", { model: "private-model" }, { maxInputTokens: 3 }],
      ...["Mail [EMAIL] now", "Mail [EMAIL] now"],
    ]);
  });

  it("a middleware works in an agent", async () => {
    const bare = new PrivateMiddleware();
    const given = (middleware: object) => ({ model: new PrivateModel(), middleware: [middleware as AgentMiddleware] });
    await langchain.createAgent(given(bare)).invoke(asks("just say"));
    const middleware = new PrivateMiddleware();
    await createAgent(given(middleware)).invoke(asks("just say"));
    expect([bare.told, middleware.told]).toEqual([2, 2]);
  });
});
