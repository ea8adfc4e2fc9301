import { describe, expect, it, jest } from "@jest/globals";
import { type Delta, definePlugin, type Invocation } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { answering, eventText, post, sse, urls, watching } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

// Whatever passes layers that change nothing goes as it came, and when it came.
const idle = definePlugin({
  name: "idle",
  model: async (_: Invocation<"model">, callNext: () => Promise<void>) => callNext(),
});
const plugins = [
  ["a layer that only awaits", idle],
  ["a stage that hands on each chunk", watching],
] as const;

type Api = keyof typeof urls;
const asked = { model: "m", messages: [{ role: "user", content: "Hi." }], input: "Hi.", max_tokens: 9, stream: true };
const ask = (api: Api, plugin: typeof idle | typeof watching, response: Response) =>
  post(fetchWithPlugins([plugin], answering(response)), urls[api], asked);

const chunk = (choice: object | undefined, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", model: "m", choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`;
const call = { index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"of":1}' } };
const done = "data: [DONE]\n\n";

const event = (type: string, fields: object): string => eventText({ type, ...fields });
const block = (index: number, type: string, fields: object): string =>
  event("content_block_start", { index, content_block: { type, ...fields } });
const piece = (index: number, type: string, fields: object): string =>
  event("content_block_delta", { index, delta: { type, ...fields } });
const stop = (index: number): string => event("content_block_stop", { index });
const begun = event("message_start", {
  message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } },
});
const ended = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } });
const stopped = event("message_stop", {});
const ping = event("ping", {});

const at = { item_id: "i", output_index: 0 };
const said = { type: "output_text", text: "Hi.", annotations: [{ type: "url_citation", url: "https://x.example" }] };
const message = { id: "i", type: "message", role: "assistant", content: [said] };
const thought = { id: "r", type: "reasoning", summary: [{ type: "summary_text", text: "So." }] };
const search = { id: "w", type: "web_search_call", status: "completed", action: { query: "x" } };
const numbered = (...steps: readonly object[]): readonly string[] =>
  steps.map((step, index) => eventText({ ...step, sequence_number: index * 2 }));

/** Event streams of answers of all sorts, each with its protocol. */
const streams: readonly (readonly [string, Api, readonly string[]])[] = [
  [
    "text, a call with the reason in one chunk, and usage",
    "chat",
    [
      chunk({ delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }),
      chunk({ delta: { content: "Hi.", extra: null }, finish_reason: null }),
      chunk({ delta: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }),
      chunk(undefined, { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      done,
    ],
  ],
  [
    "reasoning, text, reasoning, comments and two choices",
    "chat",
    [
      ": keep-alive\n\n",
      chunk({ delta: { role: "assistant", reasoning_content: "I " } }),
      chunk({ delta: { reasoning_content: "think." } }),
      ": still there\n\n",
      chunk({ delta: { content: "Hi" } }),
      chunk({ delta: { reasoning_content: "Again." } }),
      chunk({ delta: { content: "." }, finish_reason: "stop" }),
      chunk({ index: 1, delta: { role: "assistant", content: "Ho." } }),
      chunk({ index: 1, delta: {}, finish_reason: "stop" }),
      `event: end\n${done}`,
    ],
  ],
  ["what is cut short", "chat", [chunk({ delta: { role: "assistant" } }), chunk({ delta: { content: "Hi." } })]],
  ["nothing", "chat", []],
  [
    "a compaction, a found tool and applied edits",
    "messages",
    [
      begun,
      block(0, "compaction", { content: null }),
      piece(0, "compaction_delta", { content: "They said hello." }),
      stop(0),
      block(1, "server_tool_use", { id: "s", name: "tool_search_tool_regex", input: {} }),
      piece(1, "input_json_delta", { partial_json: '{"pattern":"rate"}' }),
      stop(1),
      block(2, "tool_search_tool_result", {
        tool_use_id: "s",
        content: {
          type: "tool_search_tool_search_result",
          tool_references: [{ type: "tool_reference", tool_name: "rate" }],
        },
      }),
      stop(2),
      event("message_delta", {
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 1, iterations: [{ type: "compaction", input_tokens: 9, output_tokens: 2 }] },
        context_management: { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 1 }] },
      }),
      stopped,
    ],
  ],
  [
    "an empty block, thoughts, text and a call",
    "messages",
    [
      begun,
      ping,
      block(0, "thinking", { thinking: "", signature: "" }),
      piece(0, "thinking_delta", { thinking: "So." }),
      piece(0, "signature_delta", { signature: "abc" }),
      stop(0),
      block(1, "text", { text: "" }),
      ping,
      piece(1, "text_delta", { text: "Hi." }),
      piece(1, "citations_delta", { citation: { cited_text: "x" } }),
      stop(1),
      block(2, "text", { text: "" }),
      stop(2),
      block(3, "tool_use", { id: "t", name: "f", input: {} }),
      piece(3, "input_json_delta", { partial_json: "" }),
      piece(3, "input_json_delta", { partial_json: '{"of":1}' }),
      stop(3),
      block(4, "tool_use", { id: "u", name: "f", input: { of: 1 } }),
      stop(4),
      block(5, "redacted_thinking", { data: "gAAA" }),
      stop(5),
      ended,
      stopped,
    ],
  ],
  [
    "two blocks that are open at once",
    "messages",
    [
      begun,
      block(0, "text", { text: "" }),
      block(1, "text", { text: "" }),
      piece(1, "text_delta", { text: "One" }),
      piece(0, "text_delta", { text: "Two" }),
      piece(1, "text_delta", { text: "." }),
      stop(1),
      stop(0),
      ended,
      stopped,
    ],
  ],
  [
    "a block without its end",
    "messages",
    [
      begun,
      block(0, "tool_use", { id: "t", name: "f", input: {} }),
      ping,
      piece(0, "input_json_delta", { partial_json: '{"of' }),
      ended,
      stopped,
    ],
  ],
  ["what is cut short", "messages", [begun, block(0, "text", { text: "" }), piece(0, "text_delta", { text: "Hi" })]],
  ["a piece of no block", "messages", [begun, piece(7, "text_delta", { text: "Hi" }), stop(7), ended, stopped]],
  [
    "a search, reasoning and text",
    "responses",
    [
      ...numbered(
        { type: "response.created", response: { id: "r", output: [] } },
        { type: "response.in_progress", response: { id: "r", output: [] } },
        { type: "response.output_item.added", output_index: 0, item: { ...thought, summary: [] } },
        {
          type: "response.reasoning_summary_part.added",
          ...at,
          summary_index: 0,
          part: { type: "summary_text", text: "" },
        },
        { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "So." },
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text: "So." },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part: thought.summary[0] },
        { type: "response.output_item.done", output_index: 0, item: thought },
        { type: "response.output_item.added", output_index: 1, item: { ...search, status: "in_progress" } },
        { type: "response.web_search_call.searching", output_index: 1, item_id: "w" },
        { type: "response.output_item.done", output_index: 1, item: search },
        { type: "response.output_item.added", output_index: 2, item: { ...message, content: [] } },
        {
          type: "response.content_part.added",
          ...at,
          output_index: 2,
          content_index: 0,
          part: { ...said, text: "", annotations: [] },
        },
        { type: "response.output_text.delta", ...at, output_index: 2, content_index: 0, delta: "Hi", logprobs: [] },
        { type: "response.output_text.delta", ...at, output_index: 2, content_index: 0, delta: ".", logprobs: [] },
        {
          type: "response.output_text.annotation.added",
          ...at,
          output_index: 2,
          content_index: 0,
          annotation: said.annotations[0],
        },
        { type: "response.output_text.done", ...at, output_index: 2, content_index: 0, text: "Hi.", logprobs: [] },
        { type: "response.content_part.done", ...at, output_index: 2, content_index: 0, part: said },
        { type: "response.output_item.done", output_index: 2, item: message },
        { type: "response.completed", response: { id: "r", status: "completed", output: [thought, search, message] } },
      ),
    ],
  ],
  [
    "text of which only the end is told",
    "responses",
    numbered(
      { type: "response.created", response: { id: "r", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
      { type: "response.output_text.done", ...at, content_index: 0, text: "Hi." },
      { type: "response.output_item.done", output_index: 0, item: message },
      { type: "response.completed", response: { id: "r", status: "completed", output: [message] } },
    ),
  ],
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A response whose body somebody else writes. */
function written(): { response: Response; write: (text: string) => void; close: () => void } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
  });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    write: (text) => controller?.enqueue(encoder.encode(text)),
    close: () => controller?.close(),
  };
}

describe.each(plugins)("through %s", (_, plugin) => {
  it.each(streams)("%s passes unchanged (%s)", async (_name, api, events) => {
    const text = events.join("");
    for (const stream of [text, text.replaceAll("\n", "\r\n"), text.replaceAll("data: ", "data:")]) {
      expect(await (await ask(api, plugin, sse(stream))).text()).toBe(stream);
      expect(
        await (
          await ask(api, plugin, sse(...Array.from(encoder.encode(stream), (byte) => Uint8Array.of(byte))))
        ).text(),
      ).toBe(stream);
    }
  });

  it.each(streams)(
    "each event of %s goes when it came (%s)",
    async (_name, api, events) => {
      const { response, write, close } = written();
      const reader = (await ask(api, plugin, response)).body?.getReader();
      for (const one of events) {
        write(one);
        const { value } = (await reader?.read()) ?? {};
        expect(decoder.decode(value)).toBe(one);
      }
      close();
      expect(await reader?.read()).toEqual({ done: true, value: undefined });
    },
    10_000,
  );
});

describe("the ends of parts", () => {
  const ends = async (api: Api, events: readonly string[]): Promise<readonly string[]> => {
    const seen: string[] = [];
    const plugin = {
      name: "seeing",
      async model(invocation: Invocation<"model">, callNext: () => Promise<void>) {
        await callNext();
        invocation.pipe({
          chunk(delta: Delta, emit: (delta: Delta) => void) {
            if (delta.type === "part_end") seen.push(`end ${delta.at}`);
            else if ("at" in delta && seen.at(-1) !== delta.at) seen.push(delta.at);
            emit(delta);
          },
        });
      },
    };
    await (await ask(api, plugin, sse(events.join("")))).text();
    return seen;
  };
  const of = (api: Api, name: string): readonly string[] =>
    streams.find(([each, own]) => each.startsWith(name) && own === api)?.[2] ?? [];

  it("are reported if a block stops", async () => {
    expect(await ends("messages", of("messages", "two blocks"))).toEqual(["b0", "b1", "b0", "b1", "end b1", "end b0"]);
  });

  it("are reported if a response repeats a complete text", async () => {
    expect(await ends("responses", of("responses", "a search"))).toEqual([
      ...["0/s0", "end 0/s0", "1/i", "end 1/i", "1/i", "end 1/i", "2/t0", "end 2/t0"],
    ]);
  });

  it("are reported in chat completions if text follows reasoning, and if a choice ends, since clients join texts", async () => {
    const calls = { tool_calls: [call] };
    const events = [
      chunk({ delta: { reasoning: "So." } }),
      chunk({ delta: { content: "He" } }),
      chunk({ delta: calls }),
      chunk({ delta: { content: "llo" } }),
      chunk({ delta: {}, finish_reason: "stop" }),
    ];
    expect(await ends("chat", events)).toEqual([
      ...["0/reasoning", "end 0/reasoning", "0/content", "0/c0", "0/content", "end 0/content", "end 0/c0"],
    ]);
  });
});
