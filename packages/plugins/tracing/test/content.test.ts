import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Message, Part, Plugin } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { cut } from "../src/content/json.js";
import { smallJson } from "../src/content/small-json.js";
import { ContentWriter } from "../src/content/writer.js";
import { TracingError, type TracingOptions } from "../src/index.js";
import { Harness, modelRequest, redactor, reply, spanNamed, startSdk, stopSdk, tool, user, words } from "./support.js";

const VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
beforeEach(() => {
  delete process.env[VARIABLE];
});
afterEach(() => {
  stopSdk();
  delete process.env[VARIABLE];
});

const guard: Plugin = { name: "guard", redactor };
const system: Message = { role: "system", parts: [{ type: "text", content: "Be kind to ann@example.com." }] };

/** The attributes of a model call whose texts name an address. */
const chat = async (options: TracingOptions, plugins: readonly Plugin[] = []) => {
  const exporter = startSdk();
  const { stack } = new Harness(options, plugins);
  const request = modelRequest({ messages: [system, user("I am ann@example.com")], tools: [tool("add")] });
  const outcome = await stack.call("model", stack.begin(), request, async (call) =>
    call.respond({ value: reply("Hello ann@example.com") }),
  );
  await outcome.final();
  return spanNamed(exporter.getFinishedSpans(), "chat gpt-5").attributes;
};
const content = (attributes: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([key]) => /messages|instructions|definitions|arguments|result/.test(key)),
  );

describe("content capture", () => {
  it("records no content unless asked", async () => {
    expect(content(await chat({}))).toEqual({});
  });

  it("records all of it in full, the system prompt apart from the conversation", async () => {
    const warn = jest.fn();
    expect(content(await chat({ content: "full", warn }))).toEqual({
      "gen_ai.system_instructions": '[{"type":"text","content":"Be kind to ann@example.com."}]',
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"I am ann@example.com"}]}]',
      "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"Hello ann@example.com"}]}]',
      "gen_ai.tool.definitions": '[{"type":"function","name":"add"}]',
    });
  });

  it.each(["redacted", "full"] as const)("passes it through the redactor where there is one (%s)", async (mode) => {
    const warn = jest.fn();
    const attributes = content(await chat({ content: mode, warn }, [guard]));
    expect(Object.keys(attributes)).toHaveLength(4);
    expect(JSON.stringify(attributes)).toContain("I am [EMAIL]");
    expect(JSON.stringify(attributes)).not.toContain("example.com");
    expect(warn).not.toHaveBeenCalled();
  });

  it("records nothing as redacted where there is no redactor, and warns once", async () => {
    const exporter = startSdk();
    const warn = jest.fn();
    const harness = new Harness({ content: "redacted", warn });
    const run = harness.begin();
    for (const _ of [1, 2]) await (await harness.chat(run, () => words("a"))).final();
    expect(exporter.getFinishedSpans().map((span) => content(span.attributes))).toEqual([{}, {}]);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("no content is captured"));
  });

  it("warns once that full content leaves as it is where there is no redactor", async () => {
    const warn = jest.fn();
    await chat({ content: "full", warn });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it("follows the standard variable if code sets nothing", async () => {
    process.env[VARIABLE] = "true";
    expect(Object.keys(content(await chat({ warn: () => {} })))).toHaveLength(4);
    stopSdk();
    expect(content(await chat({ content: "none" }))).toEqual({});
    stopSdk();
    process.env[VARIABLE] = "no_content";
    expect(content(await chat({}))).toEqual({});
  });

  it("refuses a mode that does not exist, and a limit in which nothing fits", () => {
    for (const options of [
      { content: "some" as "none" },
      { contentLimit: 3 },
      { compensation: { maxAge: Number.NaN } },
      { contents: "full" } as object,
    ]) {
      try {
        new Harness(options);
        throw new Error("accepted");
      } catch (error) {
        expect(TracingError.is(error) && error.code).toBe("ERR_TRACING_INVALID_OPTION");
      }
    }
  });

  it("redacts names, error messages and stack traces also when no content is captured", async () => {
    const exporter = startSdk();
    const harness = new Harness({}, [guard]);
    const run = harness.begin({ agent: { name: "agent of ann@example.com" } });
    const failing = tool("mail_ann@example.com", () => Promise.reject(new Error("no route to ann@example.com")));
    await expect(harness.tool(run, failing, {})).rejects.toThrow("ann@example.com");
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe("execute_tool mail_[EMAIL]");
    expect(span?.status.message).toBe("no route to [EMAIL]");
    expect(span?.events[0]?.attributes?.["exception.stacktrace"]).toContain("no route to [EMAIL]");
    expect(JSON.stringify([span?.name, span?.status, span?.attributes, span?.events])).not.toContain("example.com");
  });
});

describe("content as JSON", () => {
  const write = (parts: readonly Part[], limit = 10_000) =>
    JSON.parse(new ContentWriter(undefined, limit).messages([{ role: "assistant", parts }]))[0]?.parts;

  it("spells parts as the message schemas do, and drops what is native", () => {
    expect(
      write([
        { type: "text", content: "a", native: { secret: 1 } },
        { type: "reasoning", content: "b", signature: "sig" },
        { type: "tool_call", id: "1", name: "add", arguments: { a: 1 } },
        { type: "tool_call_response", id: "1", response: undefined, isError: true },
        { type: "server_tool_call", id: "2", name: "search", serverToolCall: { type: "web_search", query: "x" } },
        { type: "server_tool_call_response", id: "2", serverToolCallResponse: { type: "web_search", hits: 1 } },
        { type: "blob", modality: "image", mimeType: "image/png", content: "AAAA" },
        { type: "file", modality: "document", fileId: "f-1", mimeType: "text/plain" },
        { type: "uri", modality: "image", uri: "https://example.com/a.png" },
        { type: "compaction", content: "before" },
        { type: "native", value: { audio: 1 } },
      ]),
    ).toEqual([
      { type: "text", content: "a" },
      { type: "reasoning", content: "b" },
      { type: "tool_call", id: "1", name: "add", arguments: { a: 1 } },
      { type: "tool_call_response", id: "1", response: null, is_error: true },
      { type: "server_tool_call", id: "2", name: "search", server_tool_call: { type: "web_search", query: "x" } },
      { type: "server_tool_call_response", id: "2", server_tool_call_response: { type: "web_search", hits: 1 } },
      { type: "blob", modality: "image", mime_type: "image/png", content: "AAAA" },
      { type: "file", modality: "document", mime_type: "text/plain", file_id: "f-1" },
      { type: "uri", modality: "image", uri: "https://example.com/a.png" },
      { type: "compaction", content: "before" },
      { type: "native", value: { audio: 1 } },
    ]);
  });

  it("puts what is no object into one, for arguments and results", () => {
    const writer = new ContentWriter(undefined, 1000);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const written = [
      { a: 1 },
      "text",
      [1, 2],
      undefined,
      10n,
      new Date(0),
      new Uint8Array(3),
      Buffer.from("abc"),
      cyclic,
    ].map((value) => JSON.parse(writer.object(value)));
    expect(written).toEqual([
      { a: 1 },
      { value: "text" },
      { value: [1, 2] },
      { value: null },
      { value: "10" },
      { value: "1970-01-01T00:00:00.000Z" },
      { value: "[3 bytes]" },
      { value: "[3 bytes]" },
      { self: "[circular]" },
    ]);
  });

  it("keeps the newest messages within the limit, shortens the one that does not fit, and says so on the span", async () => {
    const exporter = startSdk();
    const { stack } = new Harness({ content: "full", contentLimit: 400, warn: () => {} });
    const messages = [user("oldest"), user("x".repeat(5000)), user("newest")];
    const request = modelRequest({ messages });
    await (
      await stack.call("model", stack.begin(), request, async (call) => call.respond({ value: reply("a") }))
    ).final();
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "chat gpt-5");
    const kept = JSON.parse(String(attributes["gen_ai.input.messages"])) as Message[];
    expect(String(attributes["gen_ai.input.messages"]).length).toBeLessThanOrEqual(400);
    expect(kept).toHaveLength(2);
    expect(kept[0]?.parts[0]).toMatchObject({ type: "text", content: expect.stringMatching(/^x{30,}…$/) });
    expect(kept[1]).toEqual(user("newest"));
    expect(attributes["suite.content.truncated"]).toBe(true);
  });

  it("is valid JSON within the limit whatever is said, with no half of a character", () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant("text" as const), content: fc.string({ unit: "binary", maxLength: 2000 }) }),
      fc.record({
        type: fc.constant("tool_call" as const),
        id: fc.string(),
        name: fc.string(),
        arguments: fc.jsonValue() as fc.Arbitrary<unknown>,
      }),
    );
    const message = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), parts: fc.array(part) });
    fc.assert(
      fc.property(fc.array(message), fc.anything(), fc.integer({ min: 256, max: 3000 }), (messages, value, limit) => {
        const writer = new ContentWriter(undefined, limit);
        for (const json of [writer.messages(messages), writer.object(value)]) {
          expect(json.length).toBeLessThanOrEqual(limit);
          expect(JSON.stringify(JSON.parse(json))).not.toMatch(/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/);
        }
        if (!writer.truncated) expect(JSON.parse(writer.messages(messages))).toHaveLength(messages.length);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ["abcdef", 4, "abc…"],
    ["ab\u{1f600}def", 4, "ab…"],
    ["ab\u{1f600}def", 5, "ab\u{1f600}…"],
    ["abcd", 4, "abcd"],
  ])("cuts %j to %d characters as %j", (text, length, shown) => {
    expect(cut(text, length)).toBe(shown);
  });

  it("writes a small value as JSON.stringify does, and leaves any other to who reads it with care", () => {
    const said = fc.string({ unit: "binary", maxLength: 20 });
    const value = fc.anything({
      values: [said, fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined, () => 1, Symbol("s"))],
      key: said,
      maxDepth: 3,
    });
    fc.assert(
      fc.property(value, fc.constantFrom(16, 256, 65_536), (each, limit) => {
        const small = smallJson(each, limit);
        if (small !== undefined) expect([small, small.length <= limit]).toEqual([JSON.stringify(each), true]);
      }),
      { numRuns: runs(500) },
    );
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    const throwing = Object.defineProperty({}, "a", { enumerable: true, get: () => JSON.parse("") });
    const others = [cycle, throwing, { toJSON: () => 1 }, new Date(0), 1n, Array(65).fill(1), new Map(), undefined];
    expect(others.map((each) => smallJson(each, 65_536))).toEqual(others.map(() => undefined));
    expect(smallJson({ role: "user", parts: [{ type: "text", content: 'Yes, "now".' }] }, 256)).toBe(
      '{"role":"user","parts":[{"type":"text","content":"Yes, \\"now\\"."}]}',
    );
  });

  it("does not let a half of a redacted value escape by shortening", () => {
    const writer = new ContentWriter(redactor, 300);
    const json = writer.messages([user(`${"y".repeat(100)} ann@example.com ${"z".repeat(3000)}`)]);
    expect(json).not.toContain("ann");
  });
});
