import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import { type CallNext, type Invocation, type Message, override, type Part, type Plugin } from "@suite/core";
import type { ToolCallPart } from "@suite/core/messages";
import OpenAI from "openai";
import { only, suspended } from "./support.js";

const secret = "jane@example.com";
const has = (value: unknown): boolean => JSON.stringify(value ?? null).includes(secret);

/** A guard as pii is one: signed reasoning with the value is removed, in requests and in answers; other values are redacted. */
const cleanRequest = async (c: Invocation<"model">, next: CallNext): Promise<void> => {
  const messages = c.request.messages.map((message): Message => {
    const parts = message.parts.flatMap((part) => clean(part) ?? []);
    return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
  });
  c.request = override(c.request, { messages });
  await next();
};
const input: Plugin = { name: "input", model: cleanRequest };
const guard: Plugin = {
  name: "guard",
  async model(c, next) {
    await cleanRequest(c, next);
    c.pipe({
      chunk(delta, emit) {
        if (delta.type !== "part") return emit(delta);
        const part = delta.part.type === "reasoning" ? undefined : clean(delta.part);
        if (part !== undefined) emit({ ...delta, part });
      },
    });
  },
};
function clean(part: Part): Part | undefined {
  if (!has(part)) return part;
  if (part.type === "reasoning" || part.type === "native") return undefined;
  const { native: _, ...rest } = part;
  return JSON.parse(JSON.stringify(rest).replaceAll(secret, "[EMAIL]")) as Part;
}

/** A plugin at the outside, which keeps all that it sees. */
const watch = (seen: unknown[]): Plugin => ({
  name: "watch",
  observe: (notification) => void seen.push(notification),
  async model(c, next) {
    await next();
    c.pipe({
      chunk(delta, emit) {
        seen.push(delta);
        emit(delta);
      },
      settle: (settlement) => void seen.push(settlement, c.reached),
    });
  },
});

const mail = defineTool({ name: "mail", execute: () => "Sent." });
const usage = { input_tokens: 1, output_tokens: 1 };
const thinking = { type: "thinking", thinking: `I should mail ${secret} now.`, signature: "sealed" };
const redacted = { type: "redacted_thinking", data: `opaque ${secret}` };
const toolUse = { type: "tool_use", id: "toolu_1", name: "mail", input: {} };

const sse = (events: readonly { readonly type?: string }[]): Response =>
  new Response(
    events.map((event) => `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`).join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

interface Server {
  readonly asked: { readonly stream?: boolean; readonly messages?: unknown[]; readonly input?: unknown[] }[];
  readonly fetch: typeof fetch;
}
/** A server that answers with these, one after the other, whole or streamed by `stream`. */
function serverOf(answers: readonly object[], stream: (answer: object) => Response): Server {
  const asked: Server["asked"] = [];
  return {
    asked,
    async fetch(_, init) {
      const body = JSON.parse(String(init?.body)) as Server["asked"][number];
      asked.push(body);
      const answer = answers[asked.length - 1] ?? {};
      return body.stream === true ? stream(answer) : Response.json(answer);
    },
  };
}

const messageOf = (...content: readonly object[]) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content,
  stop_reason: content.some((block) => "input" in block) ? "tool_use" : "end_turn",
  usage,
});
function messageEvents(answer: object): Response {
  const message = answer as ReturnType<typeof messageOf>;
  const blocks = message.content.flatMap((block, index) => {
    const { thinking: thought, signature, text: said } = block as Record<string, string>;
    const empty = { ...block, ...(thought && { thinking: "", signature: "" }), ...(said && { text: "" }) };
    const delta = (each: object) => ({ type: "content_block_delta", index, delta: each });
    return [
      { type: "content_block_start", index, content_block: empty },
      ...(thought ? [...thought].map((piece) => delta({ type: "thinking_delta", thinking: piece })) : []),
      ...(signature ? [delta({ type: "signature_delta", signature })] : []),
      ...(said ? [delta({ type: "text_delta", text: said })] : []),
      { type: "content_block_stop", index },
    ];
  });
  const { stop_reason } = message;
  return sse([
    { type: "message_start", message: { ...message, content: [], stop_reason: null } } as object,
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage } as object,
    { type: "message_stop" },
  ]);
}
const claude = (server: Server): Model =>
  anthropic("claude", { client: new Anthropic({ apiKey: "none", maxRetries: 0, fetch: server.fetch }) });

const completionOf = (message: object) => ({
  id: "x",
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop" }],
});
const completionChunks = (answer: object): Response => {
  const { message } = (answer as ReturnType<typeof completionOf>).choices[0] as { message: object };
  return sse([{ choices: [{ index: 0, delta: message, finish_reason: "stop" }] } as object]);
};
const chat = (server: Server, baseURL?: string): Model =>
  openai("gemini", { client: new OpenAI({ apiKey: "none", maxRetries: 0, fetch: server.fetch, baseURL }) });

describe.each([false, true])("what Anthropic signed (streamed: %s)", (streaming) => {
  const go = async (agent: ReturnType<typeof createAgent>) => {
    const stream = agent.stream("Mail them.");
    const deltas = [];
    if (streaming) for await (const delta of stream) deltas.push(delta);
    return { done: streaming ? await stream.result : await agent.run("Mail them."), deltas };
  };
  const answers = () => [messageOf(thinking, redacted, toolUse), messageOf({ type: "text", text: "Done." })];

  it("returns unchanged although a guard has removed it, and no one else sees it", async () => {
    const server = serverOf(answers(), messageEvents);
    const seen: unknown[] = [];
    const plugins = [watch(seen), guard];
    const { done, deltas } = await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins }));
    expect(done).toMatchObject({ status: "completed", text: "Done." });
    expect(server.asked[1]?.messages?.[1]).toEqual({ role: "assistant", content: [thinking, redacted, toolUse] });
    expect(has([deltas, done.messages, seen])).toBe(false);
  });

  it("goes back although only requests are guarded, and in its place between texts and calls", async () => {
    const said = { type: "text", text: "One moment." };
    const second = { ...thinking, signature: "sealed too" };
    const call = { ...toolUse, id: "toolu_2" };
    const parts = [thinking, said, second, toolUse, redacted, call];
    const server = serverOf([messageOf(...parts), messageOf({ type: "text", text: "Done." })], messageEvents);
    await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins: [input] }));
    expect(server.asked[1]?.messages?.[1]).toEqual({ role: "assistant", content: parts });
  });

  it("goes back after a suspension, in another process", async () => {
    const first = serverOf(answers(), messageEvents);
    const keys = [{ id: "k", secret: "0123456789abcdef0123456789abcdef" }];
    const make = (server: Server) =>
      createAgent({
        name: "a",
        model: claude(server),
        tools: [defineTool({ ...mail, needsApproval: true })],
        plugins: [guard],
        resume: { keys },
      });
    const pending = await suspended(
      streaming ? make(first).stream("Mail them.").result : make(first).run("Mail them."),
    );
    const later = serverOf(answers().slice(1), messageEvents);
    const input = { pending, decisions: [approve(only(pending))] };
    const done = await (streaming ? make(later).stream(input).result : make(later).run(input));
    expect(done).toMatchObject({ status: "completed" });
    expect(later.asked[0]?.messages?.[1]).toEqual({ role: "assistant", content: [thinking, redacted, toolUse] });
  });

  it("does not go to another provider that answers in its place", async () => {
    const server = serverOf(answers(), messageEvents);
    const other = serverOf([completionOf({ content: "Done." })], completionChunks);
    const elsewhere = serverOf([messageOf({ type: "text", text: "Done." })], messageEvents);
    const client = new Anthropic({ apiKey: "none", baseURL: "https://other.test", fetch: elsewhere.fetch });
    for (const [asked, model] of [
      [other, chat(other)],
      [elsewhere, anthropic("claude", { client })],
    ] as const) {
      server.asked.length = 0;
      const fallback: Plugin = {
        name: "fallback",
        async model(c, next) {
          if (c.request.messages.length > 1) c.request = override(c.request, { client: model });
          await next();
        },
      };
      const plugins = [guard, fallback];
      await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins }));
      expect(asked.asked).toHaveLength(1);
      expect(has(asked.asked)).toBe(false);
    }
  });

  it("returns under the call's unique id if a model repeats one", async () => {
    const again = { ...thinking, thinking: `Once more ${secret}.`, signature: "sealed again" };
    const server = serverOf(
      [messageOf(thinking, toolUse), messageOf(again, toolUse), messageOf({ type: "text", text: "Done." })],
      messageEvents,
    );
    await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins: [guard] }));
    const [, first, , second] = server.asked[2]?.messages ?? [];
    expect(first).toEqual({ role: "assistant", content: [thinking, toolUse] });
    expect(second).toEqual({ role: "assistant", content: [again, { ...toolUse, id: "toolu_1_1" }] });
  });

  it("keeps the marks of a prompt cache", async () => {
    const server = serverOf(answers(), messageEvents);
    const marks: Plugin = {
      name: "marks",
      async model(c, next) {
        const after = c.request.messages[1];
        if (after !== undefined) c.request = override(c.request, { cacheMarks: [{ after }] });
        await next();
      },
    };
    await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins: [guard, marks] }));
    expect(server.asked[1]?.messages?.[1]).toMatchObject({
      content: [thinking, redacted, { ...toolUse, cache_control: { type: "ephemeral" } }],
    });
  });
});

describe.each([false, true])("what other providers signed (streamed: %s)", (streaming) => {
  const go = (agent: ReturnType<typeof createAgent>) =>
    streaming ? agent.stream("Mail them.").result : agent.run("Mail them.");

  it("Gemini's thought signature goes back with a call whose arguments a guard has redacted", async () => {
    const extra_content = { google: { thought_signature: "sealed" } };
    const called = { name: "mail", arguments: JSON.stringify({ to: secret }) };
    const call = { index: 0, id: "a", type: "function", function: called, extra_content };
    const server = serverOf(
      [completionOf({ tool_calls: [call] }), completionOf({ content: "Done." })],
      completionChunks,
    );
    await go(createAgent({ name: "a", model: chat(server), tools: [mail], plugins: [guard] }));
    expect(server.asked[1]?.messages?.[1]).toMatchObject({
      tool_calls: [{ id: "a", function: { arguments: '{"to":"[EMAIL]"}' }, extra_content }],
    });
  });

  it("OpenRouter's signed reasoning_details go back", async () => {
    const detail = { type: "reasoning.text", text: `Mail ${secret}.`, signature: "sealed", format: "f", index: 0 };
    const call = { index: 0, id: "a", type: "function", function: { name: "mail", arguments: "{}" } };
    const first = completionOf({ reasoning: detail.text, reasoning_details: [detail], tool_calls: [call] });
    const server = serverOf([first, completionOf({ content: "Done." })], completionChunks);
    await go(createAgent({ name: "a", model: chat(server), tools: [mail], plugins: [guard] }));
    expect(server.asked[1]?.messages?.[1]).toMatchObject({ reasoning_details: [detail] });
  });

  it("OpenAI's encrypted reasoning goes back", async () => {
    const summary = [{ type: "summary_text", text: `Mail ${secret}.` }];
    const reasoning = { type: "reasoning", id: "rs_1", summary, encrypted_content: "sealed" };
    const call = { type: "function_call", call_id: "a", name: "mail", arguments: "{}" };
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] };
    const responseOf = (...output: readonly object[]) => ({ id: "r", model: "m", status: "completed", output });
    const server = serverOf([responseOf(reasoning, call), responseOf(said)], (response) =>
      sse([
        ...(response as ReturnType<typeof responseOf>).output.map((item, output_index) => ({
          type: "response.output_item.done",
          output_index,
          item,
        })),
        { type: "response.completed", response } as object,
      ]),
    );
    const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: server.fetch });
    await go(createAgent({ name: "a", model: openaiResponses("m", { client }), tools: [mail], plugins: [guard] }));
    expect(server.asked[1]?.input?.[1]).toEqual({ type: "reasoning", summary, encrypted_content: "sealed" });
  });

  it("is not added to a call that the model did not make", async () => {
    const server = serverOf([messageOf({ type: "text", text: "Done." })], messageEvents);
    const made: ToolCallPart = { type: "tool_call", id: "toolu_1", name: "mail", arguments: {} };
    let asked = 0;
    const cached: Plugin = {
      name: "cached",
      async model(c, next) {
        if (asked++ > 0) return next();
        c.respond({ value: { message: { role: "assistant", parts: [made] } } });
      },
    };
    await go(createAgent({ name: "a", model: claude(server), tools: [mail], plugins: [cached] }));
    expect(server.asked[0]?.messages?.[1]).toEqual({ role: "assistant", content: [toolUse] });
  });
});
