import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type AgentOptions, approve, createAgent, defineTool, type Model, result } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import { type Message, message, type Plugin, toolCall, toolCallResponse } from "@suite/core";
import { type ContentPart, toolContent, toolContentOf } from "@suite/core/messages";
import { useModelServer } from "@suite/testkit";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { call, only, type Said, scripted, shown, suspended } from "./support.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });
const idle = new AbortController().signal;

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pdf = Buffer.from("%PDF-1.4\n%%EOF").toString("base64");
const image = { type: "blob", modality: "image", mimeType: "image/png", content: png } as const;
const paper = { type: "blob", modality: "document", mimeType: "application/pdf", content: pdf } as const;
const address = { type: "uri", modality: "image", uri: "https://example.org/a.png" } as const;
const held = { type: "file", modality: "document", fileId: "file_1" } as const;
const page = toolContent(["The page:", image]);
const look = defineTool({ name: "look", execute: () => page });

/** The messages that a provider is sent for a history in which a tool gave these results. */
async function sent(model: Model, ...responses: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  const ids = responses.map((_, at) => `call_${at}`);
  return sentFor(model, [
    message("user", "Look."),
    message(
      "assistant",
      ids.map((id) => toolCall(id, "look", {})),
    ),
    message(
      "tool",
      ids.map((id, at) => toolCallResponse(id, responses[at])),
    ),
  ]);
}

async function sentFor(model: Model, messages: readonly Message[]): Promise<readonly Record<string, unknown>[]> {
  server().script({ text: "Fine." });
  await model.generate({ model: "m", messages, tools: [] }, { signal: idle });
  const body = server().requests.at(-1)?.body as Record<string, readonly Record<string, unknown>[]>;
  return body.messages ?? body.input ?? [];
}

const models = {
  messages: () => anthropic("claude-test", { apiKey: "none", baseURL: server().url }),
  responses: () => openaiResponses("gpt-test", { apiKey: "none", baseURL: `${server().url}/v1` }),
  chat: () => openai("gpt-test", { apiKey: "none", baseURL: `${server().url}/v1` }),
};

describe("the content of a tool's result", () => {
  it("reaches the model as parts, and the history as JSON", async () => {
    const model = scripted([call("1", "look")], "A page.");
    const end = await createAgent({ name: "a", model, tools: [look] }).run("Look.");
    const [given] = shown(model.asked[1]);
    expect(toolContentOf(given)).toEqual([{ type: "text", content: "The page:" }, image]);
    expect(JSON.parse(JSON.stringify(end.messages))).toEqual(end.messages);
  });

  it("waits with a run that is suspended, through JSON", async () => {
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const of = (...rounds: readonly Said[]) => {
      const model = scripted(...rounds);
      const options: AgentOptions = { name: "a", model, tools: [look, pay] };
      return { model, agent: createAgent(options) };
    };
    const pending = await suspended(of([call("1", "look"), call("2", "pay")]).agent.run("Look, and pay."));
    const { model, agent } = of("Done.");
    await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(shown(model.asked[0])).toEqual([page, "paid"]);
  });

  it("comes back of a tool that ran elsewhere", async () => {
    const tools = [defineTool({ name: "camera" })];
    const first = createAgent({ name: "a", model: scripted([call("1", "camera")]), tools });
    const pending = await suspended(first.run("Look."));
    const model = scripted("Done.");
    const decisions = [result(only(pending), JSON.parse(JSON.stringify(page)))];
    await createAgent({ name: "a", model, tools }).run({ pending, decisions });
    expect(shown(model.asked[0])).toEqual([page]);
  });

  it("of a tool of an agent that is a tool is shown to that agent's model, whose text is the result", async () => {
    const inner = scripted([call("1", "look")], "A page.");
    const eyes = createAgent({ name: "eyes", model: inner, tools: [look] }).asTool({ description: "Looks." });
    const outer = scripted([call("2", "eyes", { prompt: "Look." })], "Done.");
    await createAgent({ name: "a", model: outer, tools: [eyes] }).run("Look.");
    expect(shown(inner.asked[1])).toEqual([page]);
    expect(shown(outer.asked[1])).toEqual(["A page."]);
  });

  it("can be changed by a layer", async () => {
    const blurs: Plugin = {
      name: "blurs",
      async tool(invocation, next) {
        await next();
        invocation.pipe({
          chunk: (chunk, emit) => emit(toolContent((toolContentOf(chunk) ?? []).filter(({ type }) => type === "text"))),
        });
      },
    };
    const model = scripted([call("1", "look")], "A page.");
    await createAgent({ name: "a", model, tools: [look], plugins: [blurs] }).run("Look.");
    expect(shown(model.asked[1])).toEqual([toolContent(["The page:"])]);
  });
});

describe("at a provider, the content of a tool's result", () => {
  const all = toolContent(["Here:", image, paper, address, held]);

  it("is blocks of a tool result, by Anthropic's messages API", async () => {
    const [, , user] = await sent(models.messages(), all);
    const content = [
      { type: "text", text: "Here:" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
      { type: "image", source: { type: "url", url: address.uri } },
      { type: "document", source: { type: "file", file_id: "file_1" } },
    ];
    expect(user).toEqual({ role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content }] });
  });

  it("is content of a call's output, by OpenAI's responses API", async () => {
    const output = (await sent(models.responses(), all)).at(-1)?.output;
    expect(output).toEqual([
      { type: "input_text", text: "Here:" },
      { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${png}` },
      { type: "input_file", filename: "document", file_data: `data:application/pdf;base64,${pdf}` },
      { type: "input_image", detail: "auto", image_url: address.uri },
      { type: "input_file", file_id: "file_1" },
    ]);
  });

  it("is named in the tool's message, and shown by the user behind all results, by chat completions", async () => {
    const [, , ...after] = await sent(models.chat(), all, "no file", toolContent([image]));
    const name = (file: number, id: string) => `[File ${file} of the result of ${id}]`;
    const below = (file: number, id: string) => `${name(file, id)} is shown below.`;
    const first = ["Here:", ...[1, 2, 3, 4].map((file) => below(file, "call_0"))].join("\n");
    expect(after).toEqual([
      { role: "tool", tool_call_id: "call_0", content: first },
      { role: "tool", tool_call_id: "call_1", content: "no file" },
      { role: "tool", tool_call_id: "call_2", content: below(1, "call_2") },
      {
        role: "user",
        content: [
          { type: "text", text: name(1, "call_0") },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "text", text: name(2, "call_0") },
          { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}`, filename: "document" } },
          { type: "text", text: name(3, "call_0") },
          { type: "image_url", image_url: { url: address.uri } },
          { type: "text", text: name(4, "call_0") },
          { type: "file", file: { file_id: "file_1" } },
          { type: "text", text: name(1, "call_2") },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
    ]);
  });

  it.each(["messages", "responses", "chat"] as const)("by %s, is no JSON that only looks like it", async (api) => {
    const alike = [[image], { content: [image] }, { ...page, more: 1 }];
    const plain = JSON.stringify(await sent(models[api](), ...alike));
    for (const each of alike) expect(plain).toContain(JSON.stringify(JSON.stringify(each)).slice(1, -1));
  });

  it.each(["messages", "responses", "chat"] as const)(
    "by %s, is described in words if the provider does not support the file, and the run continues",
    async (api) => {
      const wrong: readonly ContentPart[] = [
        { ...image, mimeType: "image/svg+xml", content: "PHN2Zz48L3N2Zz4=" },
        { ...image, content: "no base64!" },
        { ...paper, mimeType: "application/msword", content: "0M8R4KGxGuE=" },
        { type: "blob", modality: "video", mimeType: "video/mp4", content: "AAAA" },
        { type: "uri", modality: "image", uri: "file:///etc/passwd" },
        { type: "uri", modality: "video", uri: "https://example.org/a.mp4" },
      ];
      const told = JSON.stringify(await sent(models[api](), toolContent(wrong)));
      expect(told.match(/\[A file \(/g)).toHaveLength(wrong.length);
      for (const bytes of ["PHN2Zz48", "no base64", "0M8R4KGx", '"AAAA']) expect(told).not.toContain(bytes);
    },
  );

  it("has the type that the bytes of an image have, whatever the tool says", async () => {
    const jpeg = { ...image, content: "/9j/4AAQSkZJRg==" };
    expect(JSON.stringify(await sent(models.messages(), toolContent([jpeg])))).toContain('"media_type":"image/jpeg"');
  });
});

const parts: fc.Arbitrary<ContentPart | string> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom<ContentPart>(image, paper, address, held),
  fc.record({
    type: fc.constant("blob" as const),
    modality: fc.constantFrom("image", "document", "audio", "video", "other"),
    mimeType: fc.constantFrom("image/png", "application/pdf", "audio/wav", "x", ""),
    content: fc.oneof(fc.base64String({ maxLength: 20 }), fc.string({ maxLength: 10 })),
  }),
  fc.record({ type: fc.constant("uri" as const), modality: fc.constantFrom("image", "audio"), uri: fc.webUrl() }),
);
const results = fc.array(
  fc.oneof(
    fc.jsonValue(),
    fc.array(parts, { maxLength: 4 }).map((each) => toolContent(each)),
  ),
  { minLength: 1, maxLength: 4 },
);
/** Rounds of calls, whose results stand in one message, or each in one of its own, as other frameworks have them. */
const histories = fc.array(fc.tuple(results, fc.boolean()), { minLength: 1, maxLength: 3 }).map((rounds) => {
  let next = 0;
  return rounds.flatMap(([given, apart]): readonly Message[] => {
    const calls = given.map(() => toolCall(`call_${next++}`, "look", {}));
    const answers = given.map((response, at) => toolCallResponse(calls[at]?.id ?? "", response));
    const told = apart ? answers.map((each) => message("tool", [each])) : [message("tool", answers)];
    return [message("user", "Look."), message("assistant", calls), ...told];
  });
});

describe("a history with content of tools' results", () => {
  it("is well-formed by Anthropic's messages API: turns alternate, each call is answered first in the next turn, no text is empty", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const turns = await sentFor(models.messages(), history);
        for (const [at, turn] of turns.entries()) {
          expect(turn.role).toBe(at % 2 === 0 ? "user" : "assistant");
          const content = turn.content as readonly Record<string, unknown>[];
          const results = content.filter(({ type }) => type === "tool_result");
          expect(content.slice(0, results.length)).toEqual(results);
          if (turn.role === "assistant") {
            const next = (turns[at + 1]?.content ?? []) as readonly Record<string, unknown>[];
            expect(next.flatMap(({ tool_use_id }) => tool_use_id ?? [])).toEqual(content.map(({ id }) => id));
          }
          for (const block of results.flatMap((each) => (Array.isArray(each.content) ? each.content : []))) {
            expect(block).not.toEqual({ type: "text", text: "" });
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("is well-formed by chat completions: all answers right behind their calls, as text, and each file by its name", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const sent = await sentFor(models.chat(), history);
        for (const [at, { tool_calls }] of sent.entries()) {
          if (!Array.isArray(tool_calls)) continue;
          const answers = sent.slice(at + 1, at + 1 + tool_calls.length);
          expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(tool_calls.map(({ id }) => id));
          expect(answers.every(({ content }) => typeof content === "string")).toBe(true);
          expect(sent[at + 1 + tool_calls.length]?.role).not.toBe("tool");
        }
        const named = sent.flatMap(({ role, content }) =>
          role === "tool" ? (String(content).match(/ is shown below\.$/gm) ?? []) : [],
        );
        const shown = sent.flatMap(({ content }) => (Array.isArray(content) ? content : []));
        expect(shown.filter(({ type }) => type !== "text").length).toBeLessThanOrEqual(named.length);
      }),
      { numRuns: runs(100) },
    );
  });

  it("is well-formed by OpenAI's responses API: one output for each call, of text or of a list that is not empty", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const items = await sentFor(models.responses(), history);
        const ids = (of: string) => items.flatMap(({ type, call_id }) => (type === of ? [call_id] : []));
        expect(ids("function_call_output")).toEqual(ids("function_call"));
        for (const { type, output } of items) {
          if (type === "function_call_output")
            expect(typeof output === "string" || (output as []).length > 0).toBe(true);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
