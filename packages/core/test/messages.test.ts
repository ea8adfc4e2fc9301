import { describe, expect, it } from "@jest/globals";
import {
  type Delta,
  message,
  override,
  type Part,
  type Reply,
  text,
  textOf,
  toolCall,
  toolCallResponse,
  toolCallsOf,
} from "@suite/core";
import { assembleReply, explodeReply, unansweredCalls } from "@suite/core/messages";
import fc from "fast-check";
import { call, piece, request, staged } from "./support.js";

const partsOf = (...deltas: readonly Delta[]): readonly Part[] => assembleReply(deltas).message.parts;
const called = (at: string, args: unknown = {}): Delta => ({ type: "part", at, part: toolCall("c1", "pay", args) });
const json = (at: string, piece: string): Delta => ({ type: "arguments", at, json: piece });

describe("building messages", () => {
  it("makes parts and messages of the standard's shapes", () => {
    expect(message("user", "hello")).toEqual({ role: "user", parts: [{ type: "text", content: "hello" }] });
    expect(message("assistant", [toolCall("1", "pay", { eur: 5 })])).toEqual({
      role: "assistant",
      parts: [{ type: "tool_call", id: "1", name: "pay", arguments: { eur: 5 } }],
    });
    expect(toolCallResponse("1", "paid")).toEqual({ type: "tool_call_response", id: "1", response: "paid" });
    expect(toolCallResponse("1", "no money", { isError: true })).toMatchObject({ isError: true });
    expect(toolCallResponse("1", "paid", { isError: false })).not.toHaveProperty("isError");
  });

  it("overrides fields of a request in a copy", () => {
    const given = Object.freeze({ ...request });
    const changed = override(given, { toolChoice: "none" });
    expect(changed).toEqual({ ...given, toolChoice: "none" });
    expect(given).toEqual(request);
  });
});

describe("reading messages", () => {
  const mixed = message("assistant", [
    { type: "reasoning", content: "hm" },
    text("one "),
    toolCall("1", "pay", {}),
    text("two"),
    toolCall("2", "pay", {}),
  ]);

  it("joins text, of a message or of parts; reasoning is not text", () => {
    expect([textOf(mixed), textOf(mixed.parts), textOf([])]).toEqual(["one two", "one two", ""]);
  });

  it("finds tool calls in order", () => {
    expect(toolCallsOf(mixed).map(({ id }) => id)).toEqual(["1", "2"]);
    expect(toolCallsOf(mixed.parts)).toEqual(toolCallsOf(mixed));
  });

  it("finds the calls that nothing answers, in order", () => {
    const answer = (id: string) => message("tool", [toolCallResponse(id, "ok")]);
    const ids = (...history: Parameters<typeof unansweredCalls>[0]) => unansweredCalls(history).map(({ id }) => id);
    expect(ids(mixed)).toEqual(["1", "2"]);
    expect(ids(mixed, answer("2"))).toEqual(["1"]);
    expect(ids(mixed, answer("2"), answer("1"))).toEqual([]);
    expect(ids(message("user", "hello"))).toEqual([]);
  });

  it("takes an answer for one of a call before it, not after", () => {
    const call = message("assistant", [toolCall("1", "pay", {})]);
    const answer = message("tool", [toolCallResponse("1", "ok")]);
    expect(unansweredCalls([answer, call])).toHaveLength(1);
    expect(unansweredCalls([call, answer, call])).toHaveLength(1);
    expect(unansweredCalls([call, answer, call, answer])).toHaveLength(0);
  });
});

describe("a streamed reply", () => {
  it("joins pieces of text and of reasoning by their place, in order of first appearance", () => {
    const reasoning = (content: string): Delta => ({ type: "part", at: "r", part: { type: "reasoning", content } });
    expect(partsOf(reasoning("h"), piece("a", "0"), reasoning("m"), piece("x", "1"), piece("b", "0"))).toEqual([
      { type: "reasoning", content: "hm" },
      text("ab"),
      text("x"),
    ]);
  });

  it("keeps neighbouring texts of different places apart", () => {
    expect(partsOf(piece("a", "0"), piece("b", "1"))).toEqual([text("a"), text("b")]);
  });

  it("keeps a signature that comes with the last piece", () => {
    const signed = { type: "reasoning", content: "", signature: "sig" } as const;
    expect(
      partsOf(
        { type: "part", at: "0", part: { type: "reasoning", content: "hm" } },
        { type: "part", at: "0", part: signed },
      ),
    ).toEqual([{ type: "reasoning", content: "hm", signature: "sig" }]);
  });

  it("takes of any other part the last piece", () => {
    const file = (fileId: string): Delta => ({
      type: "part",
      at: "f",
      part: { type: "file", modality: "image", fileId },
    });
    expect(partsOf(file("1"), file("2"))).toEqual([{ type: "file", modality: "image", fileId: "2" }]);
  });

  it("takes a piece of another type at the same place for another part in its place", () => {
    const thought: Delta = { type: "part", at: "0", part: { type: "reasoning", content: "hm" } };
    expect(partsOf(thought, piece("a", "0"))).toEqual([text("a")]);
    expect(partsOf(piece("a", "0"), called("0"))).toEqual([toolCall("c1", "pay", {})]);
  });

  it("parses a tool call's arguments from their pieces", () => {
    expect(partsOf(called("0"), json("0", '{"eu'), json("0", 'r":5}'))).toEqual([toolCall("c1", "pay", { eur: 5 })]);
  });

  it("keeps the arguments of a call that came whole", () => {
    expect(partsOf(called("0", { eur: 5 }))).toEqual([toolCall("c1", "pay", { eur: 5 })]);
  });

  it("takes empty arguments for none, and what is not JSON for the text that it is", () => {
    expect(partsOf(called("0"), json("0", ""))).toEqual([toolCall("c1", "pay", {})]);
    expect(partsOf(called("0"), json("0", " \n"))).toEqual([toolCall("c1", "pay", {})]);
    expect(partsOf(called("0"), json("0", '{"eur": 5'))).toEqual([toolCall("c1", "pay", '{"eur": 5')]);
    expect(partsOf(called("0"), json("0", "null"))).toEqual([toolCall("c1", "pay", null)]);
  });

  it("does not mix the arguments of parallel calls", () => {
    const parts = partsOf(called("0"), called("1"), json("1", "[2"), json("0", "[1"), json("1", "]"), json("0", "]"));
    expect(parts).toEqual([toolCall("c1", "pay", [1]), toolCall("c1", "pay", [2])]);
  });

  it("drops arguments that belong to no call", () => {
    expect(partsOf(json("0", "{}"), piece("a", "1"), json("1", "{}"))).toEqual([text("a")]);
  });

  it("keeps names like __proto__ for data", () => {
    const [part] = partsOf(called("__proto__"), json("__proto__", '{"__proto__":{"a":1}}'));
    expect(JSON.stringify((part as { arguments: unknown }).arguments)).toBe('{"__proto__":{"a":1}}');
    expect({}).not.toHaveProperty("a");
  });

  it("merges what several finish marks say, later fields over earlier", () => {
    const usage = (outputTokens: number) => ({ inputTokens: 1, outputTokens });
    expect(
      assembleReply([
        { type: "finish", usage: usage(1), finishReason: "stop" },
        { type: "finish", response: { id: "r1" } },
        { type: "finish", usage: usage(9) },
      ]),
    ).toEqual({
      message: { role: "assistant", parts: [] },
      usage: usage(9),
      finishReason: "stop",
      response: { id: "r1" },
    });
  });

  it("never holds events", () => {
    const event: Delta = { type: "event", name: "audio", value: "…" };
    expect(assembleReply([event, piece("a"), event])).toEqual(assembleReply([piece("a")]));
  });

  it("is empty where nothing came", () => {
    expect(assembleReply([])).toEqual({ message: { role: "assistant", parts: [] } });
  });
});

describe("a plain reply", () => {
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.string().map(text),
    fc.record({ type: fc.constant("reasoning" as const), content: fc.string() }),
    fc
      .record({ id: fc.string(), name: fc.string(), args: fc.jsonValue() })
      .map(({ id, name, args }) => toolCall(id, name, args)),
    fc.record({ type: fc.constant("uri" as const), modality: fc.constant("image"), uri: fc.webUrl() }),
    fc.record({ type: fc.constant("native" as const), value: fc.jsonValue() }),
  );
  const usage = fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() });
  const reply: fc.Arbitrary<Reply> = fc.record(
    {
      message: fc.record({ role: fc.constant("assistant" as const), parts: fc.array(part) }),
      usage,
      finishReason: fc.constantFrom("stop", "length"),
      response: fc.record({ id: fc.string(), model: fc.string() }),
    },
    { requiredKeys: ["message"] },
  );

  it("is the same again after it was made into deltas and put together", () => {
    fc.assert(
      fc.property(reply, (given) => {
        expect(assembleReply(explodeReply(given))).toEqual(given);
      }),
    );
  });

  it("is returned itself if its deltas were not changed, native objects and name included", () => {
    const whole: Reply = { message: { ...message("assistant", "a"), name: "bot", native: {} }, finishReason: "stop" };
    expect(assembleReply(explodeReply(whole), whole)).toBe(whole);
  });

  it("loses the native copy of what was rewritten, and keeps its name", async () => {
    const value: Reply = { message: { ...message("assistant", "jane"), name: "bot", native: { content: "jane" } } };
    const redact = staged({ chunk: (delta, emit) => emit(delta.type === "part" ? piece("***", delta.at) : delta) });
    const { outcome } = await call("model", [redact], request, async (invocation) => invocation.respond({ value }));
    expect(await outcome.final()).toEqual({ message: { ...message("assistant", "***"), name: "bot" } });
  });

  it("tells a changed finish from an unchanged one", () => {
    const whole: Reply = { message: message("assistant", "a"), usage: { inputTokens: 1, outputTokens: 1 } };
    expect(assembleReply([...explodeReply(whole).slice(0, 1), { type: "finish" }], whole)).toEqual({
      message: whole.message,
    });
  });
});

describe("what other kinds answer", () => {
  it("is the last chunk: a tool may stream progress before its result", async () => {
    const asked = { id: "1", tool: { name: "t" }, input: {} };
    const { outcome } = await call("tool", [], asked, async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          yield { percent: 50 };
          yield "result";
        })(),
      }),
    );
    const chunks: unknown[] = [];
    for await (const chunk of outcome) chunks.push(chunk);
    expect([chunks, await outcome.final()]).toEqual([[{ percent: 50 }, "result"], "result"]);
  });

  it("is a plain value as one chunk, whatever it is", async () => {
    for (const value of [undefined, null, 0, "", [1], { type: "part" }]) {
      const answer = call("humanInput", [], { question: "?" }, async (c) => c.respond({ value }));
      const chunks: unknown[] = [];
      for await (const chunk of (await answer).outcome) chunks.push(chunk);
      expect(chunks).toEqual([value]);
      const again = call("humanInput", [], { question: "?" }, async (c) => c.respond({ value }));
      expect(await (await again).outcome.final()).toBe(value);
    }
  });
});
