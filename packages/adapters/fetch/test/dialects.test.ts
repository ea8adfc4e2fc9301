import { describe, expect, it, jest } from "@jest/globals";
import { fetchWithPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import { answering, eventText, jsonResponse, post, sse, urls, watching } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

// What servers say that speak a protocol in their own way, or tell at once what usually comes in pieces.
const email = "canary.jane@leak.example";
const [half, rest] = [email.slice(0, 9), email.slice(9)];
const apply = { output: true, toolArguments: true, errors: true };
const guard = { ...pii({ email: "redact" }, { apply }), whereOffered: ["tool", "embedding", "agent"] as const };
const asked = { model: "m", messages: [{ role: "user", content: "Hi." }], input: "Hi.", max_tokens: 9 };

type Api = keyof typeof urls;

const told = async (api: Api, plugin: typeof guard | typeof watching, response: () => Response, stream: boolean) =>
  (await post(fetchWithPlugins([plugin], answering(response)), urls[api], { ...asked, stream })).text();

const completion = (message: object, more: object = {}) => ({
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", ...more }],
});
const chunk = (delta: object, more: object = {}) => ({
  id: "1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const tool = (more: object) => ({ id: "a", type: "function", ...more });
const args = JSON.stringify({ of: email });
const probabilities = { content: [{ token: half }, { token: rest }] };
const response = (output: readonly object[], more: object = {}) => ({
  ...{ id: "r", object: "response", status: "completed", model: "m", output },
  ...more,
});
const message = (more: object) => ({ id: "m", type: "message", role: "assistant", status: "completed", ...more });
const reply = (more: object) => ({ id: "1", type: "message", role: "assistant", model: "m", content: [], ...more });

const wholes: readonly (readonly [string, Api, object])[] = [
  ["content in a list", "chat", completion({ content: [{ type: "text", text: email }] })],
  ["one thought under two names", "chat", completion({ content: "x", reasoning: email, reasoning_content: email })],
  ["two thoughts", "chat", completion({ content: "x", reasoning: email, reasoning_content: "y" })],
  ["what stands beside a call", "chat", completion({ tool_calls: [tool({ function: { name: "f" }, extra: email })] })],
  ["a choice of the older completions", "chat", { id: "1", choices: [{ index: 0, text: email }] }],
  [
    "probabilities of the tokens of a call",
    "chat",
    completion({ tool_calls: [tool({ function: { name: "f", arguments: args } })] }, { logprobs: probabilities }),
  ],
  ["why it was refused", "messages", reply({ stop_reason: "refusal", stop_details: { explanation: email } })],
  ["all text once more", "responses", response([], { output_text: email })],
  ["a message that is one text", "responses", response([message({ content: email })])],
  ["why it failed", "responses", response([], { status: "failed", error: { message: email } })],
];

const end = chunk({}, { finish_reason: "stop" });
const call = { type: "function_call", id: "f", call_id: "c", name: "f", arguments: args, status: "completed" };
const responded = (...events: readonly object[]) => [
  { type: "response.created", response: response([]) },
  ...events,
  { type: "response.completed", response: response([call]) },
];
const done = { type: "response.output_item.done", output_index: 0, item: call };
const block = (content_block: object, ...deltas: readonly object[]) => [
  { type: "message_start", message: reply({ usage: { input_tokens: 1, output_tokens: 1 } }) },
  { type: "content_block_start", index: 0, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

const streams: readonly (readonly [string, Api, readonly object[]])[] = [
  ["content in a list", "chat", [chunk({ content: [{ type: "text", text: email }] }), end]],
  [
    "one thought under two names, in pieces",
    "chat",
    [half, rest].map((piece) => chunk({ reasoning: piece, reasoning_content: piece })),
  ],
  [
    "details of a thought, in pieces",
    "chat",
    [half, rest].map((piece) => chunk({ reasoning: piece, reasoning_details: [{ text: piece }] })),
  ],
  [
    "probabilities apart from the text",
    "chat",
    [chunk({ content: half }), chunk({ content: rest }), chunk({}, { logprobs: probabilities }), end],
  ],
  [
    "probabilities with the end",
    "chat",
    [chunk({ content: half }), chunk({ content: rest }), chunk({}, { finish_reason: "stop", logprobs: probabilities })],
  ],
  [
    "what stands beside a call",
    "chat",
    [chunk({ tool_calls: [{ index: 0, ...tool({ function: { name: "f", arguments: "{}" }, extra: email }) }] }), end],
  ],
  [
    "a choice and a field beside a text that ends",
    "chat",
    [{ ...chunk({ content: "x" }, { finish_reason: "stop", message: { content: email } }), note: email }],
  ],
  ["a text in its beginning", "messages", block({ type: "text", text: email })],
  [
    "a text that begins in its beginning",
    "messages",
    block({ type: "text", text: half }, { type: "text_delta", text: `${rest} .` }),
  ],
  [
    "arguments in the beginning of a call",
    "messages",
    block({ type: "tool_use", id: "a", name: "f", input: { of: email } }),
  ],
  [
    "why it was refused",
    "messages",
    [
      ...block({ type: "text", text: "" }, { type: "text_delta", text: "No." }).slice(0, -2),
      { type: "message_delta", delta: { stop_reason: "refusal", stop_details: { explanation: email } }, usage: {} },
      { type: "message_stop" },
    ],
  ],
  [
    "arguments in the beginning of a call",
    "responses",
    responded({ type: "response.output_item.added", output_index: 0, item: call }, done),
  ],
  ["a call of which only the end is told", "responses", responded(done)],
  [
    "an output before it begins",
    "responses",
    [{ type: "response.created", response: response([call]) }, ...responded(done)],
  ],
  ["why it failed", "responses", [{ type: "response.failed", response: response([], { error: { message: email } }) }]],
];

describe("a guard sees, and takes out,", () => {
  it.each(wholes)("%s (%s)", async (_, api, body) => {
    const out = await told(api, guard, () => jsonResponse(body), false);
    expect(out).not.toMatch(/canary|leak\.example/);
  });

  it.each(streams)("%s, streamed (%s)", async (_, api, events) => {
    const out = await told(api, guard, () => sse(eventText(...events)), true);
    expect(out).not.toMatch(/canary|leak\.example/);
    expect(out).toMatch(/data: /);
  });
});

describe("what nobody changes says the same", () => {
  it.each(wholes)("of %s (%s)", async (_, api, body) => {
    expect(JSON.parse(await told(api, watching, () => jsonResponse(body), false))).toEqual(body);
  });

  it.each(streams)("of %s, streamed (%s)", async (_, api, events) => {
    expect(await told(api, watching, () => sse(eventText(...events)), true)).toContain("leak.example");
  });
});
