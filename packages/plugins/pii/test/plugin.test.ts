import { describe, expect, it } from "@jest/globals";
import { type Delta, message, type Plugin, type Reply, redactorOf, toolCall, toolCallResponse } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { type PiiOptions, pii, type Rules } from "@suite/pii";
import { call, everywhere, gone, mail, membersOf, piece, plugin, reply, requestOf, rules, textsOf } from "./calls.js";

describe("hooks", () => {
  it("exist only where a place applies", () => {
    const names = (options: PiiOptions) => membersOf(plugin(options));
    expect(names({})).toEqual(["embedding", "model", "name", "redactor", "whereOffered"]);
    expect(names({ apply: { input: false, telemetry: false } })).toEqual(["name"]);
    expect(names({ apply: everywhere })).toEqual([
      "embedding",
      "humanInput",
      "model",
      "name",
      "redactor",
      "systemPrompt",
      "tool",
      "whereOffered",
    ]);
    expect(names({ apply: { toolResults: true, embeddings: false } })).toEqual(["model", "name", "redactor", "tool"]);
  });

  it("are known to the type of the plugin, so that an adapter can refuse it", () => {
    const narrow = pii(rules, { apply: { input: false, toolResults: true } });
    narrow.tool satisfies Plugin["tool"];
    // @ts-expect-error: there is no model hook
    expect(narrow.model).toBeUndefined();
    pii("email", { strategy: "redact" }).model satisfies Plugin["model"];
  });

  it("of a misspelt place are refused", () => {
    expect(() => plugin({ apply: { ouput: true } as never })).toThrow(
      expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
    );
    expect(() => plugin({ mode: "watch" as never })).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
  });

  it("are refused on output when a recogniser refuses streams", () => {
    const own: Rules = { own: { recognizer: () => [], strategy: "redact", onStream: "refuse" } };
    expect(() => plugin({ apply: { output: true } }, own)).toThrow(
      expect.objectContaining({ code: "ERR_PII_NOT_STREAMABLE" }),
    );
    expect(plugin({}, own).model).toBeDefined();
  });
});

describe("input", () => {
  it("covers every message: system, old ones, array content, tool calls and their responses", async () => {
    const request = requestOf(
      message("system", `you serve ${mail}`),
      message("user", [
        { type: "text", content: "first" },
        { type: "text", content: `I am ${mail}` },
      ]),
      message("assistant", [toolCall("1", "find", { who: [mail], [mail]: 4111111111111111 })]),
      message("tool", [toolCallResponse("1", { found: mail })]),
      message("assistant", [
        { type: "native", value: { raw: mail } },
        { type: "uri", modality: "image", uri: `https://x.com/${mail}` },
      ]),
      message("user", "and now?"),
    );
    const { seen, notifications } = await call(plugin(), "model", request, { value: reply("ok") });
    expect(JSON.stringify(seen)).not.toContain(mail);
    expect(JSON.stringify(seen)).not.toContain("4111111111111111");
    expect(seen?.messages[5]).toBe(request.messages[5]);
    expect(request.messages[0]).toEqual(message("system", `you serve ${mail}`));
    expect(notifications).toEqual([
      expect.objectContaining({
        type: "guardrail",
        plugin: "pii",
        place: "input",
        decision: "modify",
        enforced: true,
        findings: { email: 7, credit_card: 1 },
      }),
    ]);
    expect(JSON.stringify(notifications)).not.toContain("jane");
  });

  it("gives the request on itself when nothing is found, and drops native copies of what changed", async () => {
    const clean = requestOf(message("user", "hello"));
    expect((await call(plugin(), "model", clean, { value: reply("ok") })).seen).toBe(clean);
    const native = { raw: mail };
    const dirty = requestOf({
      ...message("user", [
        { type: "text", content: mail, native },
        { type: "text", content: "x", native: "kept" },
      ]),
      native,
    });
    const { seen } = await call(plugin(), "model", dirty, { value: reply("ok") });
    expect(seen?.messages).toEqual([
      message("user", [
        { type: "text", content: gone },
        { type: "text", content: "x", native: "kept" },
      ]),
    ]);
  });

  it("sends signed reasoning back to its provider unchanged", async () => {
    const signed = { type: "reasoning", content: "plain", signature: "s" } as const;
    const request = requestOf(
      message("assistant", [
        signed,
        { ...signed, content: mail },
        { type: "reasoning", content: mail },
        { type: "text", content: "t" },
      ]),
    );
    const { seen } = await call(plugin(), "model", request, { value: reply("ok") });
    expect(seen?.messages[0]?.parts).toEqual([
      signed,
      { ...signed, content: mail },
      { type: "reasoning", content: gone },
      { type: "text", content: "t" },
    ]);
    expect(seen?.messages[0]?.parts[0]).toBe(signed);
  });

  it("does not scan a message again unless it was changed in place", async () => {
    let looked = 0;
    const recognizer = (): [] => {
      looked++;
      return [];
    };
    const counting = plugin({}, { own: { recognizer, strategy: "redact" } });
    const args = { deep: { value: "x" } };
    const parts = [{ type: "text" as const, content: "one" }, toolCall("1", "t", args)];
    const request = requestOf(message("user", parts), message("user", "two"));
    await call(counting, "model", request, { value: reply("ok") });
    const first = looked;
    await call(counting, "model", requestOf(...request.messages, message("user", "new")), { value: reply("ok") });
    expect(looked).toBe(first + 1);
    args.deep.value = "y";
    await call(counting, "model", request, { value: reply("ok") });
    expect(looked).toBeGreaterThan(first + 1);
  });
});

describe("output", () => {
  const on = { apply: { output: true, toolArguments: true } };

  it("is the same streamed and plain, with nothing of a value given out before the decision", async () => {
    const text = `write to ${mail}, or pay with 4111 1111 1111 1111 now`;
    const plain = await call(plugin(on), "model", requestOf(), { value: reply(text) });
    for (const size of [1, 3, 10]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        piece(text.slice(index * size, (index + 1) * size)),
      );
      const streamed = await call(plugin(on), "model", requestOf(), {
        stream: [...pieces, { type: "finish", finishReason: "stop" }],
      });
      expect(streamed.final).toEqual(plain.final);
      expect(textsOf(streamed.chunks).join("")).toBe(`write to ${gone}, or pay with ****-****-****-1111 now`);
      expect(streamed.chunks.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
      expect(streamed.notifications).toEqual([
        expect.objectContaining({ place: "output", decision: "modify", findings: { email: 1, credit_card: 1 } }),
      ]);
    }
  });

  it("passes a chunk itself if nothing in it is held or changed", async () => {
    const whole = piece("one two. ");
    expect((await call(plugin(on), "model", requestOf(), { stream: [whole] })).chunks[0]).toBe(whole);
  });

  it("passes held chunks themselves if their text is unchanged", async () => {
    const pieces = ["word3 ", "word4 ", "word5 ", "word6"].map((text) => piece(text));
    const { chunks } = await call(plugin(on), "model", requestOf(), { stream: [...pieces, { type: "finish" }] });
    for (const [index, each] of pieces.entries()) expect(chunks[index]).toBe(each);
    expect(chunks).toHaveLength(pieces.length + 1);
  });

  it("passes no original chunk whose text was changed or emitted in part", async () => {
    const pieces = ["to jane.doe", "@example", ".com now, ", "and 1", "2 more"].map((text) => piece(text));
    const { chunks } = await call(plugin(on), "model", requestOf(), { stream: [...pieces, { type: "finish" }] });
    expect(textsOf(chunks).join("")).toBe(`to ${gone} now, and 12 more`);
    for (const taken of pieces.slice(0, 3)) expect(chunks).not.toContain(taken);
  });

  it("keeps parts apart, and in order of first appearance", async () => {
    const { final, chunks } = await call(plugin(on), "model", requestOf(), {
      stream: [piece("jane", "a"), piece("bob@", "b"), piece("@x.com", "a"), piece("y.org", "b"), { type: "finish" }],
    });
    expect((final as Reply).message.parts.map((part) => (part.type === "text" ? part.content : ""))).toEqual([
      gone,
      gone,
    ]);
    expect(JSON.stringify(chunks)).not.toMatch(/jane|bob/);
  });

  it("keeps the JSON of tool arguments valid, and the call's place before the answer's end", async () => {
    const json = JSON.stringify({ to: mail, card: 4111111111111111, note: "fine" });
    const pieces = [...json].map((character): Delta => ({ type: "arguments", at: "0", json: character }));
    const start: Delta = { type: "part", at: "0", part: toolCall("1", "send", undefined) };
    const { final, chunks, notifications } = await call(plugin(on), "model", requestOf(), {
      stream: [start, ...pieces, { type: "finish" }],
    });
    expect((final as Reply).message.parts).toEqual([
      toolCall("1", "send", { to: gone, card: "****-****-****-1111", note: "fine" }),
    ]);
    expect(JSON.stringify(chunks)).not.toContain("jane");
    expect(notifications).toEqual([
      expect.objectContaining({ place: "tool_arguments", findings: { email: 1, credit_card: 1 } }),
    ]);
  });

  it("leaves tool arguments alone when only output applies", async () => {
    const whole: Delta = { type: "part", at: "0", part: toolCall("1", "send", { to: mail }) };
    const { chunks } = await call(plugin({ apply: { output: true } }), "model", requestOf(), {
      stream: [whole, { type: "arguments", at: "0", json: `"${mail}"` }],
    });
    expect(chunks).toEqual([whole, { type: "arguments", at: "0", json: `"${mail}"` }]);
  });

  it("treats events and native parts like any value", async () => {
    const { chunks } = await call(plugin(on), "model", requestOf(), {
      stream: [
        { type: "event", name: "raw", value: { mail } },
        { type: "part", at: "n", part: { type: "native", value: [mail] } },
      ],
    });
    expect(chunks).toEqual([
      { type: "event", name: "raw", value: { mail: gone } },
      { type: "part", at: "n", part: { type: "native", value: [gone] } },
    ]);
  });

  it("streams reasoning; signed, it is whole and verbatim, or nothing after the finding and no signature", async () => {
    const thought = (content: string, signature?: string): Delta => ({
      type: "part",
      at: "r",
      part: { type: "reasoning", content, ...(signature && { signature }) },
    });
    const through = async (...stream: Delta[]) =>
      (await call(plugin(on), "model", requestOf(), { stream })).final as Reply;
    expect((await through(thought("so it "), thought("is."), thought("", "sig"))).message.parts).toEqual([
      { type: "reasoning", content: "so it is.", signature: "sig" },
    ]);
    expect((await through(thought("ask jane@"), thought("x.com now"))).message.parts).toEqual([
      { type: "reasoning", content: `ask ${gone} now` },
    ]);
    expect((await through(thought("ask jane@"), thought("x.com now"), thought("", "sig"))).message.parts).toEqual([
      { type: "reasoning", content: "ask " },
    ]);
    expect((await through(thought("ask jane@x.com now", "sig"))).message.parts).toEqual([]);
  });
});

describe("block", () => {
  const block: Rules = { email: "block", ip: "redact" };

  it("ends the call before the model sees anything, and names types and places, never values", async () => {
    const request = requestOf(message("user", mail));
    const { error: caught, seen } = await call(plugin({}, block), "model", request, { value: reply("ok") });
    expect(seen).toBeUndefined();
    expect(caught).toMatchObject({ code: "ERR_PII_BLOCKED", types: ["email"], places: ["input"] });
    expect(`${caught} ${(caught as Error).stack}`).not.toContain("jane");
  });

  it("ends a stream before anything of the value is given out, and says so once", async () => {
    const { chunks, error, notifications } = await call(
      plugin({ apply: { output: true } }, block),
      "model",
      requestOf(),
      {
        stream: [..."so ask jane@x.com, she knows"].map((character) => piece(character)),
      },
    );
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", places: ["output"] });
    expect(textsOf(chunks).join("")).toBe("so ask ");
    expect(notifications).toEqual([expect.objectContaining({ decision: "block", findings: { email: 1 } })]);
  });

  it("means redact in telemetry", () => {
    expect(plugin({}, block).redactor?.redact(`${mail} at 10.0.0.1`)).toBe(`${gone} at [REDACTED_IP]`);
  });
});

describe("tools, people and the system prompt", () => {
  const tool = { name: "find" };

  it("tool arguments are treated before the tool sees them, and results before anyone else does", async () => {
    const { seen, final, notifications } = await call(
      plugin({ apply: everywhere }),
      "tool",
      { id: "1", tool, input: { to: mail } },
      { value: { found: [mail] } },
    );
    expect(seen).toEqual({ id: "1", tool, input: { to: gone } });
    expect(final).toEqual({ found: [gone] });
    expect(notifications.map((one) => one.type === "guardrail" && one.place)).toEqual([
      "tool_arguments",
      "tool_result",
    ]);
  });

  it("each applies independently", async () => {
    const { seen, final } = await call(
      plugin({ apply: { toolResults: true } }),
      "tool",
      { id: "1", tool, input: mail },
      { value: mail },
    );
    expect([seen?.input, final]).toEqual([mail, gone]);
  });

  it("what a person answers is treated", async () => {
    const { final, notifications } = await call(
      plugin({ apply: everywhere }),
      "humanInput",
      { question: "who?" },
      { value: `ask ${mail}` },
    );
    expect(final).toBe(`ask ${gone}`);
    expect(notifications).toEqual([expect.objectContaining({ place: "human_input" })]);
  });

  it("the system prompt is treated when it is assembled", async () => {
    const stack = new PluginStack([plugin({ apply: everywhere })]);
    const run = stack.begin();
    expect(await stack.systemPrompt(`serve ${mail}`, run)).toBe(`serve ${gone}`);
    await run.end();
  });
});

describe("telemetry", () => {
  it("finds the redactor in the run, whatever the order of plugins", async () => {
    const stack = new PluginStack([{ name: "tracing" }, plugin()]);
    const run = stack.begin();
    expect(redactorOf(run)?.value({ error: new Error(mail).message })).toEqual({ error: gone });
    await run.end();
  });

  it("a model never receives content that could not be scanned", () => {
    const failing = plugin(
      {},
      {
        own: {
          recognizer: () => {
            throw new Error("x");
          },
          strategy: "redact",
        },
      },
    );
    expect(failing.redactor?.redact(mail)).toBe("[REDACTED]");
    expect(failing.redactor?.value({ mail })).toBe("[REDACTED]");
  });
});

describe("monitor mode", () => {
  it("changes nothing, and reports what it would have done", async () => {
    const watching = plugin({ mode: "monitor", apply: everywhere }, { email: "block" });
    const request = requestOf(message("user", mail));
    const pieces = [..."ask jane@x.com"].map((character) => piece(character));
    const { seen, chunks, error, notifications } = await call(watching, "model", request, { stream: pieces });
    expect(seen).toBe(request);
    expect(chunks).toEqual(pieces);
    expect(error).toBeUndefined();
    expect(notifications).toEqual([
      expect.objectContaining({ place: "input", decision: "block", enforced: false }),
      expect.objectContaining({ place: "output", decision: "block", enforced: false, findings: { email: 1 } }),
    ]);
  });
});

describe("when detection fails", () => {
  const broken: Rules = {
    own: {
      recognizer: (text) => {
        if (text.includes("!")) throw new Error(mail);
        return [];
      },
      maxLength: 8,
      strategy: "redact",
    },
    email: "redact",
  };

  it("the call ends, by default", async () => {
    const request = requestOf(message("user", "a!"));
    const { error, seen } = await call(plugin({}, broken), "model", request, { value: reply("ok") });
    expect(seen).toBeUndefined();
    expect(error).toMatchObject({ code: "ERR_PII_DETECTION_FAILED", message: expect.not.stringContaining("jane") });
  });

  it("the stream ends, by default", async () => {
    const { error, notifications } = await call(plugin({ apply: { output: true } }, broken), "model", requestOf(), {
      stream: [piece("some text!"), piece(" more")],
    });
    expect(error).toMatchObject({ code: "ERR_PII_DETECTION_FAILED" });
    expect(notifications).toEqual([expect.objectContaining({ decision: "fail_closed", enforced: true })]);
  });

  it("passes everything unchanged with onError open, and reports it", async () => {
    const open = plugin({ onError: "open", apply: { output: true, toolArguments: true } }, broken);
    const request = requestOf(message("user", "a!"));
    const text = `${"word ".repeat(80)}!${" more".repeat(80)}`;
    const json = JSON.stringify({ a: "é\n".repeat(100), b: text, c: 1 });
    const cut = (whole: string): string[] => whole.match(/[\s\S]{1,7}/g) ?? [];
    const { seen, final, notifications } = await call(open, "model", request, {
      stream: [
        ...cut(text).map((content) => piece(content)),
        { type: "part", at: "1", part: toolCall("1", "t", undefined) },
        ...cut(json).map((part) => ({ type: "arguments", at: "1", json: part })),
      ],
    });
    expect(seen).toBe(request);
    expect((final as Reply).message.parts).toEqual([
      { type: "text", content: text },
      toolCall("1", "t", JSON.parse(json)),
    ]);
    expect(notifications.map((one) => one.type === "guardrail" && one.decision)).toEqual([
      "fail_open",
      "fail_open",
      "fail_open",
    ]);
  });
});
