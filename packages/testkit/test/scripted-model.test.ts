import { describe, expect, it } from "@jest/globals";
import { type Delta, type ModelRequest, message, textOf, toolCallsOf } from "@suite/core";
import { type ScriptedModel, type ScriptedModelEntry, scriptedModel } from "@suite/testkit";

const request: ModelRequest = { model: "any", messages: [message("user", "Hello")], tools: [] };
const idle = { signal: new AbortController().signal };
const said = async (model: ScriptedModel) => textOf((await model.generate(request, idle)).message);

async function streamed(...entries: readonly ScriptedModelEntry[]): Promise<Delta[]> {
  const deltas: Delta[] = [];
  for await (const delta of scriptedModel(...entries).stream(request, idle)) deltas.push(delta);
  return deltas;
}

describe("a scripted model", () => {
  it("gives its answers one a call, then those of its function, and keeps the requests", async () => {
    const model = scriptedModel("first", { text: "second" }, ({ messages }) => `${messages.length} asked`);
    expect([await said(model), await said(model), await said(model), await said(model)]).toEqual([
      "first",
      "second",
      "1 asked",
      "1 asked",
    ]);
    expect(model.requests).toEqual([request, request, request, request]);
  });

  it("fails if no answer is left, and reports the number of answers", async () => {
    const model = scriptedModel("only");
    await said(model);
    await expect(said(model)).rejects.toMatchObject({
      code: "ERR_TESTKIT_NO_ANSWER",
      message: expect.stringContaining("1 answer was scripted"),
    });
  });

  it("gives reasoning, text and tool calls, whole and streamed alike, with usage and finish reason", async () => {
    const toolCalls = [{ name: "add", arguments: { a: 1 } }];
    const answer = { reasoning: "Hm.", text: "Wait.", toolCalls, usage: { inputTokens: 7, outputTokens: 3 } };
    const reply = await scriptedModel(answer).generate(request, idle);
    expect(reply.message.parts.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call"]);
    expect(toolCallsOf(reply.message)).toMatchObject([{ id: "call_1_1", name: "add", arguments: { a: 1 } }]);
    expect(reply).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 }, finishReason: "tool_call" });
    expect((await streamed(answer)).at(-1)).toMatchObject({ type: "finish", finishReason: "tool_call" });
  });

  it("cuts a stream as it is told", async () => {
    const texts = (await streamed({ chunks: ["one ", "two"] })).map((delta) =>
      delta.type === "part" ? textOf([delta.part]) : delta.type,
    );
    expect(texts).toEqual(["one ", "two", "part_end", "finish"]);
  });

  it("has the parts of an interleaved stream open at once", async () => {
    const content = [
      { type: "text", text: "ab", chunks: 1 },
      { type: "text", text: "cd", chunks: 1 },
    ] as const;
    const order = (await streamed({ content, interleaved: true })).map((delta) => "at" in delta && delta.at);
    expect(order).toEqual(["0", "1", "0", "1", "0", "1", false]);
  });

  it("fails as a provider's client does, with a status, and when to come back", async () => {
    const model = scriptedModel({ fault: { status: 429, retryAfter: 2, message: "Slow down." } }, "Better.");
    const error = await said(model).catch((reason: unknown) => reason as { readonly headers: Headers });
    expect(error).toMatchObject({ status: 429, message: "Slow down." });
    expect((error as { readonly headers: Headers }).headers.get("retry-after")).toBe("2");
    expect(await said(model)).toBe("Better.");
  });

  it("waits before each piece, and no longer than until an abort", async () => {
    const model = scriptedModel({ text: "late", fault: { delay: 60_000 } }, { text: "soon", fault: { delay: 1 } });
    const caller = new AbortController();
    const late = model.generate(request, { signal: caller.signal });
    setTimeout(() => caller.abort(new Error("enough")), 5);
    await expect(late).rejects.toThrow("enough");
    expect(await said(model)).toBe("soon");
    await expect(
      scriptedModel({ text: "never", fault: { delay: 60_000 } }).generate(request, { signal: caller.signal }),
    ).rejects.toThrow("enough");
  });

  it("refuses at once what it cannot play: faults of the wire, pieces that do not add up, what is no answer", () => {
    for (const entry of [{ text: "a", fault: { cut: 1 } }, { text: "abc", chunks: ["a"] }, null]) {
      expect(() => scriptedModel(entry as ScriptedModelEntry)).toThrow(
        expect.objectContaining({ code: "ERR_TESTKIT_INVALID_ANSWER" }),
      );
    }
  });
});
