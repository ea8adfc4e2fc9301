import { expect, it } from "@jest/globals";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Plugin } from "@suite/core";
import { message, textOf } from "@suite/core";
import { afterModel, beforeModel } from "@suite/core/hooks";
import { pair } from "./pair.js";

/** A sampling request of a server: the answer that it gets, and what the client's model was asked. */
async function asked(plugins: readonly Plugin[], ...answers: readonly string[]) {
  const requests: { readonly systemPrompt?: unknown; readonly messages: unknown }[] = [];
  const { server } = await pair(
    (_, client) => {
      client.setRequestHandler(CreateMessageRequestSchema, ({ params: { systemPrompt, messages } }) => {
        requests.push({ systemPrompt, messages });
        const text = answers[requests.length - 1] ?? "nothing";
        return { role: "assistant", model: "m", content: { type: "text", text } };
      });
    },
    { atServer: plugins },
  );
  const { content } = await server.server.createMessage({
    systemPrompt: "Be brief.",
    messages: [{ role: "user", content: { type: "text", text: "Hello." } }],
    maxTokens: 9,
  });
  return { content, requests };
}

const said = (text: string) => ({
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: { type: "text", text } }],
});

it("beforeModel answers in the model's place", async () => {
  const reply = { message: message("assistant", "Closed."), finishReason: "stop" };
  const closed = beforeModel(() => ({ jumpTo: "end", reply }), { canJumpTo: ["end"] });
  expect(await asked([closed])).toMatchObject({ content: { type: "text", text: "Closed." }, requests: [] });
});

it("afterModel has the model answer again, with other messages, and the system prompt stays", async () => {
  const again = afterModel(
    (reply) =>
      textOf(reply.message) === "No." ? { jumpTo: "model", messages: [message("user", "Again.")] } : undefined,
    { canJumpTo: ["model"] },
  );
  const { content, requests } = await asked([again], "No.", "Yes.");
  expect(content).toEqual({ type: "text", text: "Yes." });
  expect(requests).toEqual([said("Hello."), said("Again.")]);
});
