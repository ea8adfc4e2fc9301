import Anthropic, { type ClientOptions } from "@anthropic-ai/sdk";
import { withPlugins } from "@suite/fetch";
import { adapterGroup, answer, type Framework, type Measured, question, words } from "./adapters.js";

const usage = { input_tokens: 12, output_tokens: 6 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", stop_reason: "end_turn", usage };
const json = JSON.stringify({ ...message, content: [{ type: "text", text: answer }] });
const events = [
  { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...words.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
  { type: "message_stop" },
];
const utf8 = new TextEncoder();
const bytes = events.map((event) => utf8.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));

/** Answers from memory, a network packet for each event. */
async function fetch(_: unknown, init?: RequestInit): Promise<Response> {
  if (!String(init?.body).includes('"stream":true')) {
    return new Response(json, { headers: { "content-type": "application/json" } });
  }
  const body = new ReadableStream({
    start(controller) {
      for (const each of bytes) controller.enqueue(each);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const client = (openTelemetry: ClientOptions["openTelemetry"] = false): Anthropic =>
  new Anthropic({ apiKey: "none", fetch, openTelemetry });
const request = { model: "scripted", max_tokens: 100, messages: [{ role: "user" as const, content: question }] };

const measured = ({ messages }: Anthropic): Measured => ({
  async call() {
    const { content } = await messages.create(request);
    return content.map((block) => (block.type === "text" ? block.text : "")).join("");
  },
  async *stream() {
    for await (const event of await messages.create({ ...request, stream: true })) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
    }
  },
});

export const anthropic: Framework = {
  name: "fetch",
  about: "`messages.create` of Anthropic's client; its own telemetry is its option `openTelemetry`, with content.",
  bare: () => measured(client()),
  withPlugins: (plugins) => measured(withPlugins(client(), plugins)),
  withFrameworkTelemetry: (tracerProvider) => measured(client({ tracerProvider, traces: { contentMode: "content" } })),
};

export const adaptersFetch = adapterGroup(anthropic);
