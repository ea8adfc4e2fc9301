import { describe, expect, it } from "@jest/globals";
import { openai } from "@suite/agent/openai";
import { message, type Part, type Reply, text, toolCall, toolCallResponse } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import OpenAI from "openai";
import { callsOf, idle, overOpenAI, sent, server } from "./models.js";

const { asking, generate, stream } = callsOf("gpt-test", (options) =>
  openai("gpt-test", { apiKey: "none", baseURL: `${server.url}/v1`, ...options }),
);

const events = (...chunks: readonly object[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: "chatcmpl-1",
  model: "local",
  choices: [{ index: 0, delta, finish_reason }],
});
const whole = (body: object, finish_reason = "stop"): object => ({
  id: "chatcmpl-1",
  model: "local",
  choices: [{ index: 0, message: { role: "assistant", ...body }, finish_reason }],
});
const streamed = async (...deltas: readonly object[]): Promise<Reply> =>
  assembleReply(await stream(asking(), overOpenAI(events(...deltas.map((delta) => chunk(delta)), chunk({}, "stop")))));
/** A message as a whole answer, and as a stream of one delta. */
const both = async (body: object): Promise<readonly (readonly Part[])[]> => [
  (await generate(asking(), overOpenAI(whole(body)))).message.parts,
  (await streamed(body)).message.parts,
];
const reasoning = (content: string, more: object = {}): Part => ({ type: "reasoning", content, ...more });
const thinkingItem = { native: { from: expect.any(String), content_item: "thinking" } };
const call = (more: object = {}) => ({ index: 0, id: "a", type: "function", function: { name: "f" }, ...more });

describe("openai reads", () => {
  it("Mistral's lists of thinking and text", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "Two and two." }], closed: true },
      { type: "text", text: "Four" },
      { type: "reference", reference_ids: [1] },
      { type: "text", text: "." },
    ];
    for (const parts of await both({ content })) {
      expect(assembleReply(parts.map((part, at) => ({ type: "part", at: `${at}`, part }))).message.parts[0]).toEqual(
        reasoning("Two and two.", thinkingItem),
      );
      expect(parts.at(-1)).toEqual(text("Four."));
    }
  });

  it("lists whose pieces come in several deltas", async () => {
    const thinking = (said: string) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text: said }] }] });
    const { message: said } = await streamed(
      thinking("Two "),
      thinking("and two."),
      { content: "Fo" },
      { content: "ur" },
    );
    expect(said.parts).toEqual([reasoning("Two and two.", thinkingItem), text("Four")]);
  });

  it("the transcript of an audio answer as its text", async () => {
    for (const parts of await both({ content: null, audio: { id: "x", data: "aGk=", transcript: "Hello." } })) {
      expect(parts).toEqual([text("Hello.")]);
    }
  });

  it.each([[null], [undefined], [""], ["{}"]])(
    "a call with the arguments %j as one without arguments",
    async (given) => {
      for (const parts of await both({ tool_calls: [call({ function: { name: "f", arguments: given } })] })) {
        expect(parts).toEqual([toolCall("a", "f", {})]);
      }
    },
  );

  it("the old function_call", async () => {
    for (const parts of await both({ content: null, function_call: { name: "f", arguments: '{"n":1}' } })) {
      expect(parts).toEqual([toolCall(expect.any(String) as never, "f", { n: 1 })]);
    }
    const { message: said } = await streamed(
      { function_call: { name: "f", arguments: "" } },
      { function_call: { arguments: '{"n"' } },
      { function_call: { arguments: ":1}" } },
    );
    expect(said.parts).toEqual([toolCall(expect.any(String) as never, "f", { n: 1 })]);
  });

  it("a call whose pieces have one id under two indexes as one call", async () => {
    const piece = (index: number, id: string, called: object) => ({ tool_calls: [{ index, id, function: called }] });
    const { message: said } = await streamed(
      piece(0, "a", { name: "f", arguments: '{"n":1}' }),
      piece(0, "b", { name: "g", arguments: '{"n"' }),
      piece(1, "b", { arguments: ":2}" }),
    );
    expect(said.parts).toEqual([toolCall("a", "f", { n: 1 }), toolCall("b", "g", { n: 2 })]);
  });

  it("a stream that ends with its usage and without a finish reason, as Snowflake sends it", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } };
    const deltas = await stream(asking(), overOpenAI(events(chunk({ content: "Four" }), usage)));
    expect(assembleReply(deltas)).toMatchObject({ message: { parts: [text("Four")] }, usage: { inputTokens: 3 } });
    const cut = { code: "ERR_AGENT_MODEL_STREAM_CUT" };
    await expect(stream(asking(), overOpenAI(events(usage)))).rejects.toMatchObject(cut);
    await expect(stream(asking(), overOpenAI(events(usage, chunk({ content: "Fo" }))))).rejects.toMatchObject(cut);
  });
});

/** The assistant's message in the second round, after a reply to the first. */
async function sentBack(parts: readonly Part[], client: OpenAI): Promise<Record<string, unknown>> {
  const messages = [message("user", "Hi"), message("assistant", parts), message("tool", [toolCallResponse("a", 1)])];
  await openai("gpt-test", { client }).generate(asking({ messages }), { signal: idle });
  return (sent().messages as Record<string, unknown>[])[1] as Record<string, unknown>;
}
/** A client of the scripted server, which answers with this body first. */
const clientWith = (body: string | object): OpenAI => {
  server.script(() => ({ text: "Fine." }));
  let asked = 0;
  return new OpenAI({
    apiKey: "none",
    maxRetries: 0,
    baseURL: `${server.url}/v1`,
    fetch: async (url, init) => {
      if (asked++ > 0) return fetch(url, init);
      return typeof body === "string"
        ? new Response(body, { headers: { "content-type": "text/event-stream" } })
        : Response.json(body);
    },
  });
};

describe("openai sends back", () => {
  const signature = { google: { thought_signature: "sealed+/==" } };

  it.each([false, true])(
    "the thought signature of a call to the server that gave it (streamed: %s)",
    async (streams) => {
      const calls = { tool_calls: [call({ extra_content: signature, function: { name: "f", arguments: "{}" } })] };
      const client = clientWith(streams ? events(chunk(calls), chunk({}, "tool_calls")) : whole(calls, "tool_calls"));
      const model = openai("gpt-test", { client });
      const options = { signal: idle };
      const deltas = [];
      if (streams) for await (const delta of model.stream(asking(), options)) deltas.push(delta);
      const { parts } = (streams ? assembleReply(deltas) : await model.generate(asking(), options)).message;
      const back = await sentBack(JSON.parse(JSON.stringify(parts)) as Part[], client);
      expect(back.tool_calls).toEqual([
        { id: "a", type: "function", function: { name: "f", arguments: "{}" }, extra_content: signature },
      ]);
      const other = new OpenAI({ apiKey: "none", baseURL: `${server.url.replace("127.0.0.1", "localhost")}/v1` });
      expect(await sentBack(parts, other)).not.toMatchObject({ tool_calls: [{ extra_content: signature }] });
    },
  );

  it("the thought signature of a text", async () => {
    const client = clientWith(events(chunk({ content: "Hi" }), chunk({ extra_content: signature }, "stop")));
    const deltas = [];
    for await (const delta of openai("m", { client }).stream(asking(), { signal: idle })) deltas.push(delta);
    const back = await sentBack(assembleReply(deltas).message.parts, client);
    expect(back).toEqual({ role: "assistant", content: "Hi", extra_content: signature });
  });

  it.each([false, true])("Mistral's thinking as items of the content (streamed: %s)", async (streams) => {
    // The shape of a recorded answer of magistral-medium, with a call.
    const thinking = (said: string) => ({ type: "thinking", thinking: [{ type: "text", text: said }] });
    const called = { tool_calls: [call({ function: { name: "f", arguments: "{}" } })] };
    const content = [thinking("Two and two. It is four."), { type: "text", text: "It is 4." }];
    const client = clientWith(
      streams
        ? events(
            chunk({ role: "assistant", content: "" }),
            chunk({ content: [thinking("Two and two.")] }),
            chunk({ content: [thinking(" It is four.")] }),
            chunk({ content: [{ type: "text", text: "It is 4." }] }),
            chunk({ content: "", ...called }, "tool_calls"),
          )
        : whole({ content, ...called }, "tool_calls"),
    );
    const model = openai("magistral-medium-2507", { client, sendReasoning: true });
    const deltas = [];
    if (streams) for await (const delta of model.stream(asking(), { signal: idle })) deltas.push(delta);
    const { parts } = (streams ? assembleReply(deltas) : await model.generate(asking(), { signal: idle })).message;
    expect(await sentBack(JSON.parse(JSON.stringify(parts)) as Part[], client)).toEqual({
      role: "assistant",
      content: [{ ...content[0], closed: true }, content[1]],
      ...{ tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] },
    });
    const other = new OpenAI({ apiKey: "none", baseURL: `${server.url.replace("127.0.0.1", "localhost")}/v1` });
    expect(await sentBack(parts, other)).toMatchObject({ content: "It is 4." });
  });

  it("reasoning_details as they came, and reads their text once", async () => {
    const format = "anthropic-claude-v1";
    const details = [
      { type: "reasoning.text", text: "Two and two.", signature: "sealed", format, index: 0 },
      { type: "reasoning.summary", summary: "Sums.", id: "s", format, index: 1 },
      { type: "reasoning.encrypted", data: "sealed too", id: "e", format, index: 2 },
    ];
    const body = { content: "Four", reasoning: "Two and two.", reasoning_details: details, tool_calls: [call()] };
    const client = clientWith(whole(body));
    const { parts } = (await openai("m", { client }).generate(asking(), { signal: idle })).message;
    expect(parts.map((part) => ("content" in part ? part.content : part.type))).toEqual([
      "Two and two.",
      "Sums.",
      "",
      "Four",
      "tool_call",
    ]);
    expect((await sentBack(parts, client)).reasoning_details).toEqual(details);
  });

  it("reasoning_details whose pieces came in several deltas", async () => {
    const detail = (more: object) => ({
      reasoning_details: [{ type: "reasoning.text", format: "f", index: 0, ...more }],
    });
    const client = clientWith(
      events(
        chunk({ reasoning: "Two ", ...detail({ text: "Two " }) }),
        chunk({ reasoning: "and two.", ...detail({ text: "and two." }) }),
        chunk(detail({ signature: "sealed" })),
        chunk({ content: "Four" }, "stop"),
      ),
    );
    const deltas = [];
    for await (const delta of openai("m", { client }).stream(asking(), { signal: idle })) deltas.push(delta);
    const { parts } = assembleReply(deltas).message;
    expect(parts).toMatchObject([{ type: "reasoning", content: "Two and two.", signature: "sealed" }, text("Four")]);
    expect((await sentBack(parts, client)).reasoning_details).toEqual([
      { type: "reasoning.text", text: "Two and two.", signature: "sealed", format: "f", index: 0 },
    ]);
  });
});

describe("openai reports", () => {
  const told = { message: "Provider returned error", code: 502 };

  it.each([
    ["a whole answer", { error: told }],
    ["a choice", { id: "x", choices: [{ error: told, finish_reason: "error", message: { content: "" } }] }],
    ["an object that is an error", { object: "error", ...told }],
  ])("the error in %s with status 200 with the provider's message and code", async (_, body) => {
    const error = { status: 502, code: 502, message: expect.stringContaining("Provider returned error") as never };
    await expect(generate(asking(), overOpenAI(body))).rejects.toMatchObject(error);
    const failed = await generate(asking(), overOpenAI(body)).catch((each: unknown) => each);
    expect(failed).toBeInstanceOf(OpenAI.InternalServerError);
  });

  it("an error without a status with the provider's code", async () => {
    const body = { error: { message: "No credits", code: "insufficient_quota" } };
    await expect(generate(asking(), overOpenAI(body))).rejects.toMatchObject({
      status: undefined,
      code: "insufficient_quota",
      message: "No credits",
    });
  });

  it.each([[429], ["429"]])("the code %j of an error in a stream as its status", async (code) => {
    const body = events(chunk({ content: "Hel" }), { error: { message: "Slow down.", code } });
    const error = { status: 429, code, message: "429 Slow down." };
    await expect(stream(asking(), overOpenAI(body))).rejects.toMatchObject(error);
  });

  it("JSON that ends in its middle as an answer that was cut off", async () => {
    const cut = { code: "ERR_AGENT_MODEL_STREAM_CUT" };
    const half = '{"id":"x","choices":[{"message":{"content":"secr';
    const client = new OpenAI({
      apiKey: "none",
      maxRetries: 0,
      logLevel: "off",
      fetch: async () => new Response(half, { headers: { "content-type": "application/json" } }),
    });
    await expect(generate(asking(), { client })).rejects.toMatchObject(cut);
    await expect(generate(asking(), { client })).rejects.not.toThrow("secr");
    await expect(stream(asking(), overOpenAI(`data: ${half}`))).rejects.toMatchObject(cut);
  });
});
