import { describe, expect, it } from "@jest/globals";
import { fetchWithPlugins } from "@suite/fetch";
import { changing, eventText, jsonResponse, post, sse, urls } from "./fake.js";

/** A guard that replaces the secret in everything that streams. */
const guard = changing((delta) => JSON.parse(JSON.stringify(delta).replaceAll("secret", "X")));

/** Answers each request with the next response, and keeps the bodies of the requests. */
function server(...responses: Response[]) {
  const requests: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    requests.push(JSON.parse(String(init?.body)));
    return responses.shift() ?? jsonResponse({});
  };
  return { requests, fetch };
}

const thinking = { type: "thinking", thinking: "the secret", signature: "sig-a" };

describe("what a provider signed", () => {
  it("returns unchanged to Anthropic, although a guard changed it for the reader", async () => {
    const events = eventText(
      { type: "message_start", message: { id: "m", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "the secret" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig-a" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_stop" },
    );
    const whole = { id: "m", type: "message", content: [{ ...thinking, signature: "sig-b" }], stop_reason: "end_turn" };
    const { requests, fetch } = server(sse(events), jsonResponse(whole), jsonResponse(whole));
    const guarded = fetchWithPlugins([guard], fetch);
    const streamed = await (await post(guarded, urls.messages, { model: "m", messages: [], stream: true })).text();
    expect(streamed).toContain('"thinking":"the X"');
    expect(streamed).toContain('"signature":"sig-a"');
    const answer = await (await post(guarded, urls.messages, { model: "m", messages: [] })).json();
    expect(answer.content).toEqual([{ type: "thinking", thinking: "the X", signature: "sig-b" }]);
    const content = ["sig-a", "sig-b"].map((signature) => ({ type: "thinking", thinking: "the X", signature }));
    await post(guarded, urls.messages, { model: "m", messages: [{ role: "assistant", content }] });
    expect(requests.at(-1)).toEqual({
      model: "m",
      messages: [{ role: "assistant", content: [thinking, { ...thinking, signature: "sig-b" }] }],
    });
  });

  it("returns unchanged to OpenAI: the summary next to encrypted reasoning", async () => {
    const item = {
      id: "rs",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "the secret" }],
      encrypted_content: "enc",
    };
    const { requests, fetch } = server(jsonResponse({ id: "r", status: "completed", output: [item] }));
    const guarded = fetchWithPlugins([guard], fetch);
    const { output } = await (await post(guarded, urls.responses, { model: "m", input: "x" })).json();
    expect(output).toEqual([{ ...item, summary: [{ type: "summary_text", text: "the X" }] }]);
    await post(guarded, urls.responses, { model: "m", input: output });
    expect(requests.at(-1)).toEqual({ model: "m", input: [item] });
  });

  it("returns unchanged to Google: a call with its thought signature", async () => {
    const part = { functionCall: { name: "look", args: { of: "secret" } }, thoughtSignature: "ts" };
    const { requests, fetch } = server(
      jsonResponse({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] }),
    );
    const guarded = fetchWithPlugins([guard], fetch);
    const url = "http://localhost/v1beta/models/gemini:generateContent";
    const { candidates } = await (await post(guarded, url, { contents: [] })).json();
    expect(candidates[0].content.parts).toEqual([
      { functionCall: { name: "look", args: { of: "X" } }, thoughtSignature: "ts" },
    ]);
    await post(guarded, url, { contents: [candidates[0].content] });
    expect(requests.at(-1)).toEqual({ contents: [{ role: "model", parts: [part] }] });
  });

  it("stays as the client changed it: an emptied summary", async () => {
    const item = {
      id: "rs",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "the secret" }],
      encrypted_content: "emptied",
    };
    const { requests, fetch } = server(jsonResponse({ id: "r", status: "completed", output: [item] }));
    const guarded = fetchWithPlugins([guard], fetch);
    await (await post(guarded, urls.responses, { model: "m", input: "x" })).json();
    const changed = { ...item, summary: [] };
    await post(guarded, urls.responses, { model: "m", input: [changed] });
    expect(requests.at(-1)).toEqual({ model: "m", input: [changed] });
  });

  it("returns unchanged to Google: text in pieces, joined by the client", async () => {
    const piece = (text: string, more = {}) => ({
      candidates: [{ content: { role: "model", parts: [{ text, ...more }] } }],
    });
    const events = [piece("secret one, "), piece("secret two", { thoughtSignature: "ts-2" })]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join("");
    const { requests, fetch } = server(sse(events));
    const guarded = fetchWithPlugins([guard], fetch);
    const url = "http://localhost/v1beta/models/gemini:streamGenerateContent?alt=sse";
    expect(await (await post(guarded, url, { contents: [] })).text()).not.toContain("secret");
    const contents = (text: string) => [{ role: "model", parts: [{ text, thoughtSignature: "ts-2" }] }];
    await post(guarded, url, { contents: contents("X one, X two") });
    expect(requests.at(-1)).toEqual({ contents: contents("secret one, secret two") });
    await post(guarded, url, { contents: contents("X two") });
    expect(requests.at(-1)).toEqual({ contents: contents("secret two") });
  });
});
