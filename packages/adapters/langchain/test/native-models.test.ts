import { describe, expect, it } from "@jest/globals";
import { BaseCache } from "@langchain/core/caches";
import type { BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk, type Generation } from "@langchain/core/outputs";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { asks, collect, TestModel } from "./support.js";

const secret = "eve@x.y";

/** A model of a provider that does all by itself, and binds tools to nothing but itself. */
class NativeModel extends TestModel {
  readonly #pieces = ["Mail eve", "@x.y", " now"];

  constructor(params: BaseChatModelParams = {}) {
    super(params);
  }

  override async _generate() {
    const message = new AIMessage({ content: this.#pieces.join(""), additional_kwargs: { thought: secret } });
    return { generations: [{ text: message.text, message }], llmOutput: { echo: secret } };
  }

  override async *_streamResponseChunks() {
    for (const text of this.#pieces) {
      const additional_kwargs = { thought: secret };
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text, additional_kwargs }) });
    }
  }

  override async *_streamChatModelEvents() {
    yield { event: "message-start" as const };
    yield { event: "content-block-start" as const, index: 0, content: { type: "text" as const, text: "" } };
    yield { event: "content-block-delta" as const, index: 0, delta: { type: "text-delta" as const, text: secret } };
    yield { event: "content-block-finish" as const, index: 0, content: { type: "text" as const, text: secret } };
    yield { event: "message-finish" as const, reason: "stop" as const };
  }
}

/** Finds the same answer for whatever is asked. */
class EagerCache extends BaseCache {
  override async lookup(): Promise<Generation[]> {
    return [{ text: secret, message: new AIMessage(secret) } as Generation];
  }
  override async update(): Promise<void> {}
}

describe("a model that does all by itself", () => {
  const { createAgent } = withPlugins(langchain, [redacting()]);

  it("gives what the layers let through, plain, its metadata too", async () => {
    const { messages } = await createAgent({ model: new NativeModel() }).invoke(asks("Hello."));
    expect(messages.at(-1)?.text).toBe("Mail [EMAIL] now");
    expect(JSON.stringify(messages)).not.toContain(secret);
  });

  it("gives what the layers let through, streamed, its metadata too", async () => {
    const agent = createAgent({ model: new NativeModel() });
    const chunks = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "updates"] }));
    expect(JSON.stringify(chunks)).toContain("[EMAIL]");
    expect(JSON.stringify(chunks)).not.toContain(secret);
  });

  it("has no own events in version 3: they are created from the answer after the layers", async () => {
    const run = await createAgent({ model: new NativeModel() }).streamEvents(asks("Hello."), { version: "v3" });
    const told = JSON.stringify(await collect(run));
    expect([told.includes("[EMAIL]"), told.includes(secret)]).toEqual([true, false]);
  });

  it("is not answered for by a cache, which the layers would not see", async () => {
    const model = new NativeModel({ cache: new EagerCache() });
    const { messages } = await createAgent({ model }).invoke(asks("Hello."));
    expect(messages.at(-1)?.text).toBe("Mail [EMAIL] now");
  });
});
