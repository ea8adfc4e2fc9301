import { describe, expect, it } from "@jest/globals";
import { text } from "@suite/core";
import { sampling } from "../src/methods/sampling.js";

const image = { type: "image", data: "aGk=", mimeType: "image/png", annotations: { priority: 1 } };
const said = { type: "text", text: "Look at ada@x.example", annotations: { audience: ["user"] } };
const use = { type: "tool_use", id: "t1", name: "look", input: { who: "ada@x.example" } };
const result = {
  type: "tool_result",
  toolUseId: "t1",
  content: [{ type: "text", text: "found" }],
  structuredContent: { n: 1 },
};
const params = {
  systemPrompt: "Be brief.",
  messages: [
    { role: "user", content: [image, said] },
    { role: "assistant", content: use },
    { role: "user", content: [result] },
  ],
  tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, title: "Look" }],
  toolChoice: { mode: "required" },
  modelPreferences: { hints: [{ name: "claude" }] },
  includeContext: "none",
  maxTokens: 100,
};

describe("a sampling request", () => {
  it("is a model request", () => {
    const { model, messages, tools, toolChoice, settings } = sampling.request(params);
    expect({ model, toolChoice, settings }).toEqual({
      model: "claude",
      toolChoice: "required",
      settings: { maxTokens: 100 },
    });
    expect(tools).toEqual([{ name: "look", description: "Looks.", parameters: { type: "object" } }]);
    expect(messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ["system", "text"],
      ["user", "blob", "text"],
      ["assistant", "tool_call"],
      ["user", "tool_call_response"],
    ]);
  });

  it("passes unchanged if no layer changed it, with the fields that the neutral model lacks", () => {
    expect(sampling.params(params, sampling.request(params))).toEqual(params);
  });

  it("of which a layer changed the tools, or whether one must be called, asks for that", () => {
    const { toolChoice: _, tools: none, ...bare } = params;
    const offered = { name: "find", parameters: { type: "object" } };
    const changed = { ...sampling.request(bare), tools: [offered], toolChoice: { name: "find" } };
    expect(sampling.params(bare, changed)).toEqual({
      ...bare,
      tools: [{ name: "find", inputSchema: { type: "object" } }],
      toolChoice: { mode: "required" },
    });
    const { toolChoice, ...free } = sampling.request(params);
    expect(toolChoice).toBe("required");
    expect(sampling.params(params, { ...free, tools: [] })).toEqual({ ...bare, tools: [] });
  });

  it("of which a layer changed one text keeps all else", () => {
    const request = sampling.request(params);
    const messages = request.messages.map((message) =>
      message.role !== "user" || message.parts.length < 2
        ? message
        : {
            role: message.role,
            parts: message.parts.map((part) => (part.type === "text" ? text("Look at [X]") : part)),
          },
    );
    expect(sampling.params(params, { ...request, messages })).toEqual({
      ...params,
      messages: [
        { role: "user", content: [image, { type: "text", text: "Look at [X]" }] },
        ...params.messages.slice(1),
      ],
    });
  });
});

describe("the answer to one", () => {
  const answer = { role: "assistant", model: "claude-x", content: [said, use], stopReason: "toolUse" };

  it("is a reply, and itself again where no layer changed it", () => {
    const reply = sampling.final(answer);
    expect(reply).toMatchObject({ finishReason: "tool_call", response: { model: "claude-x" } });
    expect(sampling.result(answer, reply)).toBe(answer);
  });

  it("has what a layer changed, and no native copy of it", () => {
    const reply = sampling.final(answer);
    const { native: _, ...message } = reply.message;
    const [, call] = message.parts;
    const changed = { ...reply, message: { ...message, parts: [text("Look at [X]"), ...(call ? [call] : [])] } };
    expect(sampling.result(answer, changed)).toEqual({
      ...answer,
      content: [{ type: "text", text: "Look at [X]" }, use],
    });
  });

  it("that a layer gave itself is one that the protocol takes", () => {
    const reply = { message: { role: "assistant" as const, parts: [text("From the cache.")] } };
    expect(sampling.result(undefined, reply)).toEqual({
      role: "assistant",
      model: "unknown",
      content: { type: "text", text: "From the cache." },
    });
  });
});

describe("a word that is a member of all objects", () => {
  it.each(["constructor", "toString", "__proto__"])("stays a string as a reason why an answer ended: %s", (word) => {
    const result = { role: "assistant", model: "m", content: { type: "text", text: "Hi" }, stopReason: word };
    const reply = sampling.final(result);
    expect(reply.finishReason).toBe(word);
    expect(sampling.result(undefined, reply)).toMatchObject({ stopReason: word });
  });
});
