import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import { hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import { type ModelAnswer, useModelServer } from "@suite/testkit";
import OpenAI from "openai";

const server = useModelServer({ beforeAll, afterEach, afterAll });
const hangs: ModelAnswer = { text: "never", fault: { hang: "before-headers" } };
const down: ModelAnswer = { fault: { status: 503 } };

/** The text of one answer of openai's own client, whole or streamed. */
async function ask(plugins: readonly Plugin[], answers: readonly ModelAnswer[], stream: boolean): Promise<string> {
  server().script(...answers);
  const options = { apiKey: "none", baseURL: `${server().url}/v1`, maxRetries: 0 };
  const { chat } = withPlugins(new OpenAI(options), plugins as readonly []);
  const asked = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };
  if (!stream) return (await chat.completions.create(asked)).choices[0]?.message.content ?? "";
  let text = "";
  for await (const chunk of await chat.completions.create({ ...asked, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? "";
  }
  return text;
}
const models = () => server().requests.map(({ body }) => (body as { model: string }).model);

describe.each([false, true])("a client of openai, streamed: %p", (stream) => {
  it("is given one answer by retryModel, of the attempt that succeeded", async () => {
    expect(await ask([retryModel({ initialDelay: 1 })], [down, down, { text: "hello" }], stream)).toBe("hello");
    expect(models()).toHaveLength(3);
  });

  it("is given the answer of the model that modelFallback names", async () => {
    expect(await ask([modelFallback({ models: ["other"] })], [down, { text: "hello" }], stream)).toBe("hello");
    expect(models()).toEqual(["m", "other"]);
  });

  it("has its request cancelled by timeout", async () => {
    await expect(ask([timeout({ call: 100 })], [hangs], stream)).rejects.toThrow();
    expect(await server().requests[0]?.ended).toBe("closed");
  });

  it("is asked for once, where hedge would ask twice", async () => {
    expect(await ask([hedge({ delay: 1 })], [{ text: "hello", fault: { delay: 20 } }], stream)).toBe("hello");
    expect(models()).toEqual(["m"]);
  });
});
