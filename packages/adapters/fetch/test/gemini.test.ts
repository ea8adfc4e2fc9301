import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, type ModelRequest } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import { answering, changing, jsonResponse, post, sse, watching } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash";
const email = "canary.jane@leak.example";
const [half, rest] = [email.slice(0, 9), email.slice(9)];
const guard = {
  ...pii({ email: "redact" }, { apply: { output: true, toolArguments: true } }),
  whereOffered: ["tool", "embedding"],
};

const body = {
  systemInstruction: { role: "user", parts: [{ text: `Be kind. ${email}` }] },
  contents: [
    { role: "user", parts: [{ text: `Hello. ${email}` }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
    { role: "model", parts: [{ functionCall: { name: "look", args: { of: email } }, thoughtSignature: "sig" }] },
    { role: "user", parts: [{ functionResponse: { name: "look", response: { output: email } } }] },
  ],
  tools: [
    { functionDeclarations: [{ name: "look", description: "Looks.", parametersJsonSchema: { type: "object" } }] },
    { googleSearch: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY" } },
  generationConfig: {
    temperature: 0,
    maxOutputTokens: 9,
    responseMimeType: "application/json",
    responseJsonSchema: { type: "object" },
  },
};
const chunk = (parts: readonly object[], more: object = {}, top: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  modelVersion: "gemini-2.5-flash",
  responseId: "r",
  ...top,
});
const usage = { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 1, totalTokenCount: 6 };
const call = { functionCall: { name: "look", args: { of: email } }, thoughtSignature: "sig" };
const chunks = [
  chunk([{ text: "I think of ", thought: true }], {}, { usageMetadata: usage }),
  chunk([{ text: `${half}`, thought: true }]),
  chunk([{ text: `${rest}.`, thought: true }]),
  chunk([{ text: `Write to ${half}` }]),
  chunk([{ text: `${rest} now.` }, call]),
  chunk(
    [{ text: "" }],
    { finishReason: "STOP", groundingMetadata: { searchEntryPoint: { renderedContent: email } } },
    { usageMetadata: usage },
  ),
];
const events = chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
const list = `[${chunks.map((each) => JSON.stringify(each, undefined, 2)).join(",\r\n")}\n]\n`;

const seeing = () => {
  const seen: ModelRequest[] = [];
  const plugin = definePlugin({
    name: "seeing",
    async model(invocation: Invocation<"model">, callNext) {
      seen.push(invocation.request);
      await callNext();
    },
  });
  return { seen, plugin };
};
const listResponse = (...pieces: readonly string[]) => {
  const { body } = sse(...pieces);
  return new Response(body, { headers: { "content-type": "application/json; charset=UTF-8" } });
};

describe("generateContent", () => {
  it("is read completely, and sent unchanged", async () => {
    const { seen, plugin } = seeing();
    const server = answering(jsonResponse(chunks[0]));
    await post(fetchWithPlugins([plugin], server), `${base}:generateContent`, body);
    expect(server.asked[0]?.body).toBe(JSON.stringify(body));
    expect(seen[0]).toMatchObject({
      model: "gemini-2.5-flash",
      provider: "gcp.gemini",
      stream: false,
      settings: { temperature: 0, maxTokens: 9 },
      toolChoice: "required",
      outputSchema: { type: "object" },
      tools: [{ name: "look", description: "Looks.", parameters: { type: "object" } }, { name: "googleSearch" }],
      messages: [
        { role: "system" },
        { role: "user", parts: [{ type: "text" }, { type: "blob", modality: "image" }] },
        { role: "assistant", parts: [{ type: "tool_call", id: "look", arguments: { of: email } }] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "look" }] },
      ],
    });
  });

  it("takes what layers change of it, the model in its path included", async () => {
    const plugin = definePlugin({
      name: "changing",
      async model(invocation: Invocation<"model">, callNext) {
        const { request } = invocation;
        invocation.request = {
          ...request,
          model: "gemini-x",
          settings: { ...request.settings, temperature: 1, topP: 0.5 },
          tools: request.tools?.map((tool) => (tool.name === "look" ? { ...tool, description: "Other." } : tool)) ?? [],
          toolChoice: { name: "look" },
        };
        await callNext();
      },
    });
    const server = answering(jsonResponse(chunks[0]));
    const input = pii({ email: "redact" }, { apply: { toolArguments: true, toolResults: true } });
    await post(
      fetchWithPlugins([plugin, { ...input, whereOffered: ["tool", "embedding"] }], server),
      `${base}:generateContent`,
      body,
    );
    expect(server.asked[0]?.url).toContain("/models/gemini-x:generateContent");
    const sent = JSON.parse(server.asked[0]?.body ?? "");
    // The call goes back as Google signed it.
    expect(sent.contents[1]).toEqual(body.contents[1]);
    expect(JSON.stringify({ ...sent, contents: [sent.contents[0], sent.contents[2]] })).not.toContain("canary");
    expect(sent).toMatchObject({
      systemInstruction: { parts: [{ text: "Be kind. [REDACTED_EMAIL]" }] },
      contents: [
        { role: "user", parts: [{ text: "Hello. [REDACTED_EMAIL]" }, body.contents[0]?.parts[1]] },
        { role: "model", parts: [{ functionCall: { name: "look" }, thoughtSignature: "sig" }] },
        { role: "user", parts: [{ functionResponse: { name: "look" } }] },
      ],
      tools: [
        { functionDeclarations: [{ name: "look", description: "Other.", parametersJsonSchema: { type: "object" } }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look"] } },
      generationConfig: { ...body.generationConfig, temperature: 1, topP: 0.5 },
    });
  });

  it("is guarded if it does not stream, and passes unchanged if nothing is found", async () => {
    const answer = chunk(
      [{ text: `I think of ${email}`, thought: true }, { text: email }, call],
      { finishReason: "STOP" },
      { usageMetadata: usage },
    );
    const ask = async (plugin: typeof guard | typeof watching) =>
      (
        await post(
          fetchWithPlugins([plugin as typeof watching], answering(jsonResponse(answer))),
          `${base}:generateContent`,
          body,
        )
      ).text();
    expect(await ask(watching)).toBe(JSON.stringify(answer));
    const guarded = await ask(guard as typeof guard);
    expect(guarded).not.toContain("canary");
    expect(JSON.parse(guarded).candidates[0].content.parts).toMatchObject([
      { text: "I think of [REDACTED_EMAIL]", thought: true },
      { text: "[REDACTED_EMAIL]" },
      { functionCall: { name: "look" }, thoughtSignature: "sig" },
    ]);
  });

  it("a layer answers in its place", async () => {
    const answers = definePlugin({
      name: "answers",
      model: async (invocation: Invocation<"model">) =>
        invocation.respond({
          value: { message: { role: "assistant", parts: [{ type: "text", content: "Own." }] }, finishReason: "stop" },
        }),
    });
    const fetch = fetchWithPlugins([answers], answering());
    const own = { candidates: [{ content: { role: "model", parts: [{ text: "Own." }] }, finishReason: "STOP" }] };
    expect(await (await post(fetch, `${base}:generateContent`, body)).json()).toMatchObject(own);
    expect(await (await post(fetch, `${base}:streamGenerateContent`, body)).json()).toMatchObject([own]);
    const told = await (await post(fetch, `${base}:streamGenerateContent?alt=sse`, body)).text();
    expect(JSON.parse(told.replace("data: ", ""))).toMatchObject(own);
  });
});

describe("streamGenerateContent", () => {
  const ask = async (plugin: typeof watching, query: string, response: Response) =>
    (await post(fetchWithPlugins([plugin], answering(response)), `${base}:streamGenerateContent${query}`, body)).text();

  it("passes unchanged if no layer changes anything, as events and as a list, at any chunk boundary", async () => {
    expect(await ask(watching, "?alt=sse", sse(...events))).toBe(events.join(""));
    for (const text of [list, "[]", "[\n]", list.slice(0, -3), `[${JSON.stringify(chunks[3])}`]) {
      expect(await ask(watching, "", listResponse(text))).toBe(text);
      expect(await ask(watching, "", listResponse(...text))).toBe(await ask(watching, "", listResponse(text)));
    }
  });

  it.each(["?alt=sse", ""])("is guarded, wherever a value is cut (%s)", async (query) => {
    const response = query === "" ? listResponse(...list) : sse(...events);
    const told = await ask(guard as never, query, response);
    expect(told).not.toMatch(/canary|leak\.example/);
    const all =
      query === ""
        ? JSON.parse(told)
        : told
            .trim()
            .split(/\r?\n\r?\n/)
            .map((event) => JSON.parse(event.replace("data:", "")));
    const parts = all.flatMap(
      (each: { candidates: { content?: { parts: object[] } }[] }) => each.candidates[0]?.content?.parts ?? [],
    );
    const join = (thought: boolean) =>
      parts
        .filter((part: { thought?: boolean; text?: string }) => (part.thought === true) === thought)
        .map(({ text = "" }: { text?: string }) => text)
        .join("");
    expect([join(true), join(false)]).toEqual(["I think of [REDACTED_EMAIL].", "Write to [REDACTED_EMAIL] now."]);
    expect(all.at(-1).candidates[0].finishReason).toBe("STOP");
    expect(parts.filter((part: object) => "functionCall" in part)).toHaveLength(1);
  });

  it("a list stays a list where items are taken out and added", async () => {
    const first = changing((delta) => (delta.type === "part" && delta.part.type === "reasoning" ? undefined : delta));
    const told = JSON.parse(await ask(first, "", listResponse(list)));
    expect(JSON.stringify(told)).not.toContain("I think");
    expect(told.at(-1).candidates[0].finishReason).toBe("STOP");
  });
});
