import Anthropic from "@anthropic-ai/sdk";
import { fetchWithPlugins } from "@suite/fetch";
import { redacting } from "@suite/testkit";
import OpenAI from "openai";
import { answering, eventText, post, sse, urls } from "./fake.js";

export const secret = "ada@mail.example";
export const gemini = "https://model.example/v1beta/models/gemini-3";
const pieces = ["Grüß 👋 ", "ada@m", "ail.exa", "mple, ", "please."];

const end = `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const chat = pieces
  .map((content, index) => ({
    id: "c",
    choices: [{ index: 0, delta: { ...(index === 0 && { role: "assistant" }), content } }],
  }))
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat(end)
  .join("");

export const messages = eventText(
  { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
);

const place = { item_id: "i", output_index: 0, content_index: 0 };
const whole = { type: "output_text", text: pieces.join(""), annotations: [], logprobs: [{ token: secret }] };
const item = { id: "i", type: "message", role: "assistant", status: "completed", content: [whole] };
const responses = eventText(
  { type: "response.created", sequence_number: 0, response: { id: "r", output: [] } },
  { type: "response.output_item.added", sequence_number: 1, output_index: 0, item: { ...item, content: [] } },
  { type: "response.content_part.added", sequence_number: 2, ...place, part: { ...whole, text: "", logprobs: [] } },
  ...pieces.map((delta, index) => ({
    type: "response.output_text.delta",
    sequence_number: 3 + index,
    ...place,
    delta,
    logprobs: [{ token: delta }],
  })),
  { type: "response.output_text.done", sequence_number: 8, ...place, text: pieces.join(""), logprobs: whole.logprobs },
  { type: "response.content_part.done", sequence_number: 9, ...place, part: whole },
  { type: "response.output_item.done", sequence_number: 10, output_index: 0, item },
  { type: "response.completed", sequence_number: 11, response: { id: "r", status: "completed", output: [item] } },
);

export const streams = [
  ["chat completions", urls.chat, chat],
  ["messages", urls.messages, messages],
  ["responses", urls.responses, responses],
] as const;

/** A guard that replaces the secret. */
export const guard = { ...redacting(), whereOffered: ["tool", "embedding"] as const };

export async function through(url: string, ...bytes: readonly Uint8Array[]): Promise<string> {
  const fetch = fetchWithPlugins([guard], answering(sse(...bytes)));
  return (await post(fetch, url, { model: "m", stream: true, messages: [], input: [] })).text();
}

/** The text that the pieces of a stream add up to. */
export function said(stream: string): string {
  const lines = stream.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const data = lines.split("\n\n").flatMap((event) => {
    const lines = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
    return lines[0]?.startsWith("{") ? [JSON.parse(lines.join("\n"))] : [];
  });
  return data
    .map(
      (event) =>
        event.choices?.[0]?.delta?.content ??
        event.delta?.text ??
        (event.type === "response.output_text.delta" ? event.delta : ""),
    )
    .join("");
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Asks through the protocol's own client, and reads the stream to its end. */
export async function ask(api: string, fetch: ReturnType<typeof fetchWithPlugins>): Promise<void> {
  const options = { apiKey: "none", maxRetries: 0, fetch };
  const said = [{ role: "user", content: "x" }] as const;
  const stream: AsyncIterable<unknown> = await (api === "messages"
    ? new Anthropic(options).messages.create({ model: "m", max_tokens: 9, messages: [...said], stream: true })
    : api === "responses"
      ? new OpenAI(options).responses.create({ model: "m", input: "x", stream: true })
      : new OpenAI(options).chat.completions.create({ model: "m", messages: [...said], stream: true }));
  for await (const _ of stream);
}
