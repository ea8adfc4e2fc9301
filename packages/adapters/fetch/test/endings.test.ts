import { describe, expect, it, jest } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { definePlugin, type Invocation, type RuntimeContext } from "@suite/core";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import { tracing } from "@suite/tracing";
import { timedOut } from "../../../testkit/test/clients.js";
import { answering, post, sse, urls } from "./fake.js";
import { collect, rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };
const three = { chunks: ["One. ", "Two. ", "Three."] };
const hanging = { ...three, fault: { hang: { textPieces: 1 } as const } };

/** A plugin that books which runs and answers began and ended. */
function book() {
  const written: string[] = [];
  const plugin = definePlugin({
    name: "book",
    begin: (_: RuntimeContext) => void written.push("begin"),
    end: (_: RuntimeContext) => void written.push("end"),
    async model(invocation: Invocation<"model">, callNext) {
      await callNext();
      invocation.pipe({ settle: ({ status }) => void written.push(status) });
    },
  });
  return { written, plugin };
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let times = 0; !holds() && times < 4000; times++) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("every run ends, and every call once", () => {
  it("a plain call has ended when the user has its answer", async () => {
    on.server.script({ text: "Hello." });
    const { written, plugin } = book();
    await withPlugins(on.openai(), [plugin]).chat.completions.create(chat);
    expect(written).toEqual(["begin", "completed", "end"]);
  });

  it.each(["chat", "responses", "messages"])(
    "a stream of %s has ended, as completed, when the user has read it",
    async (kind) => {
      on.server.script(three);
      const { written, plugin } = book();
      const openai = withPlugins(on.openai(), [plugin]);
      const anthropic = withPlugins(on.anthropic(), [plugin]);
      if (kind === "chat") await collect(await openai.chat.completions.create({ ...chat, stream: true }));
      else if (kind === "responses")
        await collect(await openai.responses.create({ model: "m", input: "x", stream: true }));
      else await collect(await anthropic.messages.create({ ...chat, max_tokens: 9, stream: true }));
      expect(written).toEqual(["begin", "completed", "end"]);
    },
  );

  it("a stream that is never read stays open, so its span is not exported", async () => {
    on.server.script(three);
    const { written, plugin } = book();
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const client = withPlugins(on.openai(), [plugin, tracing({ tracerProvider })]);
    const stream = await client.chat.completions.create({ ...chat, stream: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toEqual(["begin"]);
    expect(exporter.getFinishedSpans()).toEqual([]);
    await collect(stream);
    expect(written).toEqual(["begin", "completed", "end"]);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  it.each([
    [{}, undefined],
    [{ stream_options: { include_usage: true } }, expect.any(Number)],
  ])("a streamed chat completion has tokens if its request includes usage: %j", async (asking, tokens) => {
    on.server.script(three);
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const client = withPlugins(on.openai(), [tracing({ tracerProvider })]);
    await collect(await client.chat.completions.create({ ...chat, stream: true, ...asking }));
    const [request] = on.server.requests;
    expect(request?.body).toEqual({ ...chat, stream: true, ...asking });
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes["gen_ai.usage.output_tokens"]).toEqual(tokens);
  });

  it("a reader who cancels at the last event, as openai 7 does, has read a completed answer", async () => {
    const { written, plugin } = book();
    const text = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
    const server = answering(
      sse(text, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n', "data: [DONE]\n\n"),
    );
    const response = await post(fetchWithPlugins([plugin], server), urls.chat, { ...chat, stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let got = ""; !got.includes("[DONE]"); ) got += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(written).toEqual(["begin", "completed", "end"]);
  });

  it("a reader who stops lets the server go", async () => {
    on.server.script(hanging);
    const { written, plugin } = book();
    for await (const chunk of await withPlugins(on.openai(), [plugin]).chat.completions.create({
      ...chat,
      stream: true,
    })) {
      if (chunk.choices[0]?.delta.content) break;
    }
    expect(await on.server.requests[0]?.ended).toBe("closed");
    await until(() => written.includes("end"));
    expect(written).toEqual(["begin", "cancelled", "end"]);
  });

  it("a body that is cancelled before it was read lets the server go", async () => {
    on.server.script(hanging);
    const { written, plugin } = book();
    const client = withPlugins(on.openai(), [plugin]);
    const response = await client.chat.completions.create({ ...chat, stream: true }).asResponse();
    await response.body?.cancel();
    expect(await on.server.requests[0]?.ended).toBe("closed");
    expect(written).toEqual(["begin", "cancelled", "end"]);
  });

  it.each(["before the answer", "in it"])("an abort %s lets the server go", async (when) => {
    const { plugin, written } = book();
    const controller = new AbortController();
    on.server.script(() => {
      if (when === "in it") return hanging;
      controller.abort();
      return { fault: { hang: "before-headers" } };
    });
    const client = withPlugins(on.anthropic(), [plugin]);
    const stream = client.messages.stream({ ...chat, max_tokens: 9 }, { signal: controller.signal });
    stream.on("text", () => controller.abort());
    const error = await rejection(stream.finalMessage());
    expect(error.constructor.name).toBe("APIUserAbortError");
    expect(await on.server.requests[0]?.ended).toBe("closed");
    await until(() => written.includes("end"));
  });

  it("a timeout of the client is its own error", async () => {
    on.server.script({ fault: { hang: "before-headers" } });
    const { written, plugin } = book();
    const client = withPlugins(on.openai(), [plugin]);
    const error = await timedOut(on.server, () => client.chat.completions.create(chat, { timeout: 30 }));
    on.server.script({ fault: { hang: "before-headers" } });
    const plain = await timedOut(on.server, () => on.openai().chat.completions.create(chat, { timeout: 30 }));
    expect([error.constructor, error.message]).toEqual([plain.constructor, plain.message]);
    await until(() => written.includes("end"));
    expect(written).toEqual(["begin", "end"]);
  });

  it("a body that does not end after its last event is let go", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: [DONE]\n\n")),
      cancel() {
        cancelled = true;
      },
    });
    const server = answering(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    const response = await post(fetchWithPlugins([book().plugin], server), urls.chat, { ...chat, stream: true });
    expect(await response.text()).toBe("data: [DONE]\n\n");
    await until(() => cancelled);
    expect(cancelled).toBe(true);
  });

  it("the connection of an answer that was read is used again", async () => {
    on.server.script(three, three);
    const client = withPlugins(on.openai(), [book().plugin]);
    for (const _ of [1, 2]) await collect(await client.chat.completions.create({ ...chat, stream: true }));
    for (const request of on.server.requests) expect(await request.ended).toBe("completed");
  });
});
