import { describe, expect, it } from "@jest/globals";
import { changing, streamed, urls, whole } from "./fake.js";

const chunk = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }], ...more })}\n\n`;

describe("chat completions", () => {
  it("all choices go through the layers, and probabilities of changed text are taken out", async () => {
    const logprobs = { content: [{ token: "secret" }] };
    const choices = ["secret one", "secret two"].map((content, index) => ({ index, message: { content }, logprobs }));
    const done = await whole(urls.chat, { id: "c", choices });
    expect(done.choices.map((choice: { message: unknown }) => choice.message)).toEqual([
      { content: "SECRET ONE" },
      { content: "SECRET TWO" },
    ]);
    expect(JSON.stringify(done)).not.toContain("secret");
    const told = await streamed(
      urls.chat,
      choices.map(({ index, message, logprobs }) => chunk({ index, delta: message, logprobs })).join(""),
    );
    expect(told).not.toContain("secret");
    expect(told).toContain("SECRET TWO");
  });

  it("a refusal and reasoning go through the layers", async () => {
    const message = { content: null, refusal: "not that", reasoning_content: "i think" };
    expect(await whole(urls.chat, { choices: [{ index: 0, message }] })).toMatchObject({
      choices: [{ message: { refusal: "NOT THAT", reasoning_content: "I THINK" } }],
    });
    const told = await streamed(
      urls.chat,
      chunk({ delta: { reasoning: "i think" } }) + chunk({ delta: { refusal: "not that" } }),
    );
    expect(told).toContain('"reasoning":"I THINK"');
    expect(told).toContain('"refusal":"NOT THAT"');
  });

  it("text in the chunk that ends the answer goes through the layers, and stays in that chunk", async () => {
    const told = await streamed(
      urls.chat,
      `${chunk({ delta: { role: "assistant", content: "hi" }, finish_reason: "stop" })}data: [DONE]\n\n`,
    );
    const events = told.trim().split("\n\n");
    expect(events).toHaveLength(2);
    expect(events[0]).toContain('{"role":"assistant","content":"HI"},"finish_reason":"stop"');
    expect(told).not.toContain("hi");
  });

  it("what the model lacks a place for is seen by the layers", async () => {
    const taking = changing((delta) =>
      delta.type === "event" || (delta.type === "part" && delta.part.type === "native") ? undefined : delta,
    );
    const body = {
      id: "c",
      citations: ["secret"],
      choices: [{ index: 0, message: { content: "Hi.", annotations: ["secret"] } }],
    };
    expect(await whole(urls.chat, body, taking)).toEqual({
      id: "c",
      choices: [{ index: 0, message: { content: "Hi." } }],
    });
    const told = await streamed(
      urls.chat,
      chunk({ delta: { content: "Hi.", audio: { captions: "secret" } } }, { citations: ["secret"] }),
      taking,
    );
    expect(told).toContain("Hi.");
    expect(told).not.toContain("secret");
  });

  it("calls of servers that send arguments as objects, or all calls with one index, stay apart", async () => {
    const call = (id: string) => ({
      index: 0,
      id,
      type: "function",
      function: { name: "look", arguments: `{"of":"${id}"}` },
    });
    const told = await streamed(
      urls.chat,
      chunk({ delta: { tool_calls: [call("a")] } }) + chunk({ delta: { tool_calls: [call("b")] } }),
    );
    expect(told).toContain('{\\"OF\\":\\"A\\"}');
    expect(told).toContain('{\\"OF\\":\\"B\\"}');
    const events = chunk({ delta: { tool_calls: [call("a")] } }) + chunk({ delta: { tool_calls: [call("b")] } });
    expect(
      await streamed(
        urls.chat,
        events,
        changing((delta) => delta),
      ),
    ).toBe(events);
  });
});
