import { describe, expect, it, jest } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import { changing, eventText, streamed, urls, whole } from "./fake.js";
import { useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };

describe("messages", () => {
  it("a signature stays on its block, also if a layer takes the thinking out", async () => {
    const answer = { reasoning: { content: "I think.", signature: "signed" }, text: "Hello.", chunks: 3 };
    on.server.script(answer, answer);
    const asked = { ...chat, max_tokens: 9 };
    const stream = (plugin: Plugin) => withPlugins(on.anthropic(), [plugin]).messages.stream(asked).finalMessage();
    expect((await stream(changing((delta) => delta))).content).toMatchObject([
      { thinking: "I think.", signature: "signed" },
      { text: "Hello." },
    ]);
    expect(
      (
        await stream(
          changing((delta) => (delta.type === "part" && delta.part.type === "reasoning" ? undefined : delta)),
        )
      ).content,
    ).toMatchObject([
      { type: "thinking", thinking: "", signature: "signed" },
      { type: "text", text: "Hello." },
    ]);
  });

  it("encrypted thinking passes unchanged, and layers see the content that a message begins with", async () => {
    const events = eventText(
      { type: "message_start", message: { id: "m", content: [{ type: "text", text: "secret" }] } },
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "gAAA" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_stop" },
    );
    const told = await streamed(
      urls.messages,
      events,
      changing((delta) => (delta.type === "event" ? undefined : delta)),
    );
    expect(told).not.toContain("secret");
    expect(told).toContain('{"type":"redacted_thinking","data":"gAAA"}');
  });

  it("text behind a thought that has ended streams, also under a guard", async () => {
    const chunks = ["One. ", "Two. ", "Three. ", "Four. "];
    on.server.script({ reasoning: "I think of one.", chunks, fault: { hang: { textPieces: 3 } } });
    const guard = pii({ email: "redact" }, { apply: { output: true } });
    const stream = withPlugins(on.anthropic(), [guard]).messages.stream({ ...chat, max_tokens: 9 });
    const said: string[] = [];
    stream.on("text", (text) => {
      said.push(text);
      if (said.join("").startsWith("One. Two.")) stream.abort();
    });
    await expect(stream.finalMessage()).rejects.toThrow("aborted");
    expect(said.length).toBeGreaterThan(1);
  });

  it("a block after one whose end is held back waits for it", async () => {
    on.server.script({ text: "hello.", toolCalls: [{ id: "c", name: "look", arguments: { of: "x" } }], chunks: 2 });
    const holding: Plugin = {
      name: "holding",
      async model(invocation, callNext) {
        await callNext();
        let held = "";
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type === "part" && delta.part.type === "text") held += delta.part.content;
            else if (delta.type !== "part_end" || delta.at !== "b0") emit(delta);
          },
          flush(emit) {
            emit({ type: "part", at: "b0", part: { type: "text", content: held } });
            emit({ type: "part_end", at: "b0" });
          },
        });
      },
    };
    const contents: string[] = [];
    const stream = withPlugins(on.anthropic(), [holding]).messages.stream({ ...chat, max_tokens: 9 });
    stream.on("contentBlock", (block) => contents.push(block.type));
    expect((await stream.finalMessage()).content).toMatchObject([
      { text: "hello." },
      { name: "look", input: { of: "x" } },
    ]);
    expect(contents).toEqual(["text", "tool_use"]);
  });

  it("citations go with the text that they are of", async () => {
    const block = { type: "text", text: "hi", citations: [{ cited_text: "Hi." }] };
    const body = { id: "m", type: "message", content: [block] };
    expect(
      await whole(
        urls.messages,
        body,
        changing((delta) => delta),
      ),
    ).toEqual(body);
    expect(
      (
        await whole(
          urls.messages,
          body,
          changing((delta) => (delta.type === "part" && delta.part.type === "native" ? undefined : delta)),
        )
      ).content[0],
    ).toEqual({ type: "text", text: "hi" });
    expect((await whole(urls.messages, body)).content[0]).toMatchObject({ text: "HI", citations: null });
  });

  it("layers see the input of a provider's tool as the arguments of a call", async () => {
    const events = eventText(
      { type: "message_start", message: { id: "m", content: [] } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      },
      ...['{"query":"ab', 'c"}'].map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_stop" },
    );
    const redacting = changing((delta) =>
      delta.type === "arguments" ? { ...delta, json: delta.json.replace("ab", "X").replace("c", "") } : delta,
    );
    expect(
      await streamed(
        urls.messages,
        events,
        changing((delta) => delta),
      ),
    ).toBe(events);
    const told = await streamed(urls.messages, events, redacting);
    expect(
      [...told.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json ?? '""')).join(""),
    ).toBe('{"query":"X"}');
  });
});
