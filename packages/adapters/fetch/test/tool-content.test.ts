import { expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, message, override, toolCall, toolCallResponse } from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { fetchWithPlugins } from "@suite/fetch";
import { answering, jsonResponse, post, urls } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const history = [
  message("assistant", [toolCall("c1", "look", {})]),
  message("tool", [
    toolCallResponse(
      "c1",
      toolContent(["Seen:", { type: "blob", modality: "image", mimeType: "image/png", content: "iVBORw0KGgo=" }]),
    ),
  ]),
];

/** The request that a server is sent where a layer puts a history in front, as one that was kept from another agent. */
async function sent(url: string, body: object): Promise<string> {
  const server = answering(jsonResponse({}));
  const goesOn = definePlugin({
    name: "goes-on",
    async model(invocation: Invocation<"model">, callNext) {
      const { request } = invocation;
      invocation.request = override(request, { messages: [...history, ...request.messages] });
      await callNext();
    },
  });
  await post(fetchWithPlugins([goesOn], server), url, body);
  return server.asked[0]?.body ?? "";
}

const messages = [{ role: "user", content: "And?" }];
const bytes = "iVBORw0KGgo=";

it.each([
  [
    "the messages API",
    urls.messages,
    { messages },
    [
      { type: "text", text: "Seen:" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: bytes } },
    ],
  ],
  [
    "the responses API",
    urls.responses,
    { input: messages },
    [
      { type: "input_text", text: "Seen:" },
      { type: "input_image", image_url: `data:image/png;base64,${bytes}` },
    ],
  ],
  ["chat completions, as text", urls.chat, { messages }, "Seen:\n[image/png]"],
] as const)("the content of a tool's result in a history goes to %s in its own form", async (_, url, body, content) => {
  expect(await sent(url, { model: "m", ...body })).toContain(JSON.stringify(content));
});
