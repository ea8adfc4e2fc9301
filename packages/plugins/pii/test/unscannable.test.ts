import { describe, expect, it } from "@jest/globals";
import { type Delta, type Message, message, type Part, type Reply, toolCallResponse } from "@suite/core";
import { createRedactor, type PiiOptions } from "@suite/pii";
import { call, everywhere, gone, mail, plugin, reply, requestOf } from "./calls.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);
const blob: Part = {
  type: "blob",
  modality: "image",
  mimeType: "image/png",
  content: Buffer.from(png).toString("base64"),
};
const file: Part = { type: "file", modality: "document", fileId: "file_1" };
const uri: Part = { type: "uri", modality: "image", uri: "https://x.com/a.png" };
const text: Part = { type: "text", content: "look" };
const user = message("user", [text, blob, file, uri]);
const through = (options: PiiOptions, ...messages: Message[]) =>
  call(plugin(options), "model", requestOf(...messages), { value: reply("ok") });

describe("content that is no text", () => {
  it("passes by default", async () => {
    const { seen, notifications } = await through({}, user);
    expect(seen?.messages[0]).toBe(user);
    expect(notifications).toEqual([]);
  });

  it("is left out by choice, and that is told", async () => {
    const { seen, notifications } = await through({ onUnscannable: "drop" }, user, message("user", [blob]));
    expect(seen?.messages).toEqual([message("user", [text]), message("user", "[REMOVED_IMAGE]")]);
    expect(notifications).toEqual([
      expect.objectContaining({ place: "input", decision: "modify", findings: { unscannable: 4 } }),
    ]);
  });

  it("ends the call by choice, before anything is sent", async () => {
    const { seen, error, notifications } = await through({ onUnscannable: "block" }, user);
    expect(seen).toBeUndefined();
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", types: ["unscannable"], places: ["input"] });
    expect(notifications).toEqual([expect.objectContaining({ decision: "block" })]);
  });

  it("is only reported in monitor mode", async () => {
    const { seen, error, notifications } = await through({ onUnscannable: "block", mode: "monitor" }, user);
    expect([seen?.messages[0], error]).toEqual([user, undefined]);
    expect(notifications).toEqual([expect.objectContaining({ decision: "block", enforced: false })]);
  });

  it("is seen in answers, too", async () => {
    const stream: Delta[] = [
      { type: "part", at: "0", part: text },
      { type: "part", at: "1", part: blob },
    ];
    const dropping = plugin({ onUnscannable: "drop", apply: { output: true } });
    const { final } = await call(dropping, "model", requestOf(), { stream });
    expect((final as Reply).message.parts).toEqual([text]);
  });

  it("is asked for by a word that is known", () => {
    expect(() => plugin({ onUnscannable: "ignore" as never })).toThrow(
      expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
    );
  });
});

describe("addresses and files", () => {
  it("the URL of a file is treated as text and never fetched", async () => {
    const asked: unknown[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (async (...all: unknown[]) => asked.push(all)) as never;
    try {
      const { seen } = await through({}, message("user", [{ ...uri, uri: `https://x.com/${mail}.png` } as Part]));
      expect(seen?.messages[0]?.parts).toEqual([{ ...uri, uri: `https://x.com/${gone}` }]);
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual([]);
  });

  it("the content of a data URL passes unchanged, and the text before it is treated", async () => {
    const content = base64("4111111111111111 ".repeat(20));
    const parts = [
      `data:image/png;base64,${content}`,
      `data:image/png;name=${mail};base64,${content}`,
      `data:text/plain,${mail}`,
    ];
    const { seen } = await through(
      {},
      message(
        "user",
        parts.map((each) => ({ ...uri, uri: each }) as Part),
      ),
    );
    expect(seen?.messages[0]?.parts.map((part) => part.type === "uri" && part.uri)).toEqual([
      parts[0],
      `data:image/png;name=${gone};base64,${content}`,
      `data:text/plain,${gone}`,
    ]);
  });

  it("a file with text is treated as text", async () => {
    const csv = (content: string): Part => ({ type: "blob", modality: "document", mimeType: "text/csv", content });
    for (const onUnscannable of ["allow", "block"] as const) {
      const { seen } = await through(
        { onUnscannable },
        message("user", [csv(base64(`é;${mail}`)), csv(base64("a;b"))]),
      );
      expect(seen?.messages[0]?.parts).toEqual([csv(base64(`é;${gone}`)), csv(base64("a;b"))]);
    }
    expect((await through({ onUnscannable: "block" }, message("user", [csv("%%")]))).error).toMatchObject({
      code: "ERR_PII_BLOCKED",
    });
  });
});

describe("bytes in values", () => {
  const redactor = createRedactor({ email: "redact" });
  const bytes = new TextEncoder().encode(`é ${mail}`);

  it("are treated if they are text, and keep their class", () => {
    const buffer = Buffer.from(bytes);
    const treated = redactor.value({ bytes, buffer, raw: bytes.slice().buffer }) as {
      bytes: Uint8Array;
      buffer: Buffer;
      raw: ArrayBuffer;
    };
    expect(Buffer.isBuffer(treated.buffer)).toBe(true);
    expect(treated.buffer.toString("utf8")).toBe(`é ${gone}`);
    expect(treated.bytes.constructor).toBe(Uint8Array);
    expect(new TextDecoder().decode(treated.bytes)).toBe(`é ${gone}`);
    expect(treated.raw).toBeInstanceOf(ArrayBuffer);
    expect(new TextDecoder().decode(treated.raw)).toBe(`é ${gone}`);
    expect(new TextDecoder().decode(bytes)).toBe(`é ${mail}`);
  });

  it("are returned unchanged without findings, and if they are not text", () => {
    const value = {
      png,
      clean: Buffer.from("clean"),
      floats: new Float32Array([1, 2]),
      view: new DataView(new ArrayBuffer(4)),
      blob: new Blob([bytes]),
    };
    expect(redactor.value(value)).toBe(value);
    expect(redactor.value(png)).toBe(png);
    expect(new TextDecoder().decode(redactor.value(bytes) as Uint8Array)).toBe(`é ${gone}`);
  });

  it("of tools follow the choice where they are no text", async () => {
    const answer = { png, text: mail, blob: new Blob([bytes]), link: `data:image/png;base64,${base64("x")}` };
    const tool = { id: "1", tool: { name: "shot" }, input: {} };
    const dropping = plugin({ onUnscannable: "drop", apply: everywhere });
    const { final } = await call(dropping, "tool", tool, { value: answer });
    expect(final).toEqual({ png: "[REMOVED]", text: gone, blob: "[REMOVED]", link: "[REMOVED]" });
    const blocking = plugin({ onUnscannable: "block", apply: everywhere });
    expect((await call(blocking, "tool", tool, { value: { png } })).error).toMatchObject({ types: ["unscannable"] });
    const history = requestOf(message("tool", [toolCallResponse("1", { png })]));
    const { seen } = await call(dropping, "model", history, { value: reply("ok") });
    expect(seen?.messages[0]?.parts).toEqual([toolCallResponse("1", { png: "[REMOVED]" })]);
  });
});
