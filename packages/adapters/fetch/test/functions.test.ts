import { describe, expect, it } from "@jest/globals";
import { message, override, textOf } from "@suite/core";
import { afterModel, beforeModel, wrapModelCall } from "@suite/core/hooks";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import { useServer } from "./support.js";

const on = useServer();
const chat = {
  model: "m",
  messages: [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "One." },
    { role: "user" as const, content: "Two." },
  ],
};
const sent = (): unknown[] => on.server.requests.map(({ body }) => (body as { messages: unknown }).messages);

describe("plugins of one function round a request to a model", () => {
  it("beforeModel changes the messages, and the system prompt stays", async () => {
    on.server.script({ text: "Hello." });
    const last = beforeModel(({ request: { messages } }) => ({ messages: messages.slice(-1) }));
    await withPlugins(on.openai(), [last]).chat.completions.create(chat);
    expect(sent()).toEqual([[chat.messages[0], chat.messages[2]]]);
  });

  it("beforeModel answers in the model's place, whole and streamed", async () => {
    const reply = { message: message("assistant", "Closed."), finishReason: "stop" };
    const closed = beforeModel(() => ({ jumpTo: "end", reply }), { canJumpTo: ["end"] });
    const { completions } = withPlugins(on.openai(), [closed]).chat;
    const whole = await completions.create(chat);
    const streamed = await completions.stream(chat).finalChatCompletion();
    for (const { choices } of [whole, streamed]) expect(choices[0]?.message.content).toBe("Closed.");
    expect(sent()).toEqual([]);
  });

  it.each(["whole", "streamed"])("afterModel has the model answer again, with other messages, %s", async (mode) => {
    on.server.script({ text: "No." }, { text: "Yes." });
    const again = afterModel(
      (reply) =>
        textOf(reply.message) === "No." ? { jumpTo: "model", messages: [message("user", "Again.")] } : undefined,
      { canJumpTo: ["model"] },
    );
    const { completions } = withPlugins(on.openai(), [again]).chat;
    const { choices } = await (mode === "whole"
      ? completions.create(chat)
      : completions.stream(chat).finalChatCompletion());
    expect(choices[0]?.message.content).toBe("Yes.");
    expect(sent()[1]).toEqual([chat.messages[0], { role: "user", content: "Again." }]);
  });

  it("wrapModelCall changes the request", async () => {
    on.server.script({ text: "Hello." });
    const other = wrapModelCall((request, handler) => handler(override(request, { model: "other" })));
    await withPlugins(on.openai(), [other]).chat.completions.create(chat);
    expect(on.server.requests[0]?.body).toMatchObject({ model: "other", messages: chat.messages });
  });

  it("watching plugins leave the request as it was, byte by byte", async () => {
    const asked: unknown[] = [];
    const text = '{ "model": "m", "messages": [ { "role": "system", "content": "Be brief." } ] }';
    const fetch = fetchWithPlugins([beforeModel(() => {}), afterModel(() => {})], async (_, init) => {
      asked.push(init?.body);
      return Response.json({ choices: [{ index: 0, message: { role: "assistant", content: "Hi." } }] });
    });
    await (await fetch("https://model.example/v1/chat/completions", { method: "POST", body: text })).text();
    expect(asked).toEqual([text]);
  });
});
