import { describe, expect, it } from "@jest/globals";
import { type Delta, message, type Reply, toolCall } from "@suite/core";
import { createRedactor, detect } from "@suite/pii";
import { call, gone, mail, piece, pieces, plugin, reply, requestOf, textsOf } from "./calls.js";

const on = { apply: { output: true, toolArguments: true } };

/** Bugs that were seen in other libraries, each as the promise that it breaks. */
describe("not as in LangChain's middleware", () => {
  it("treats every message, not only the last one of a person", async () => {
    const roles = ["system", "user", "assistant", "user", "assistant", "tool"] as const;
    const request = requestOf(...roles.map((role) => message(role, `${role} ${mail}`)));
    const { seen } = await call(plugin(), "model", request, { value: reply("ok") });
    expect(seen?.messages).toEqual(roles.map((role) => message(role, `${role} ${gone}`)));
  });

  it("keeps content that is a list a list, with everything else that is in it", async () => {
    const image = { type: "blob", modality: "image", mimeType: "image/png", content: "AA==" } as const;
    const parts = [{ type: "text", content: mail } as const, image, { type: "text", content: "and" } as const];
    const { seen } = await call(plugin(), "model", requestOf(message("user", parts)), { value: reply("ok") });
    expect(seen?.messages[0]?.parts).toEqual([{ type: "text", content: gone }, image, parts[2]]);
  });

  it("looks at the arguments of tool calls, at any depth, in what comes and in what goes", async () => {
    const args = (value: string): unknown => ({ to: [{ address: value, [value]: 1 }] });
    const history = requestOf(message("assistant", [toolCall("1", "send", args(mail))]));
    const stream: Delta[] = [{ type: "part", at: "0", part: toolCall("2", "send", args(mail)) }];
    const { seen, final } = await call(plugin(on), "model", history, { stream });
    expect(seen?.messages[0]?.parts).toEqual([toolCall("1", "send", args(gone))]);
    expect((final as Reply).message.parts).toEqual([toolCall("2", "send", args(gone))]);
  });

  it("passes no part of jane.doe@example.com to the consumer of a stream", async () => {
    for (const size of [1, 2, 5, 100]) {
      const { chunks } = await call(plugin(on), "model", requestOf(), { stream: pieces(`ask ${mail} now`, size) });
      const texts = textsOf(chunks);
      for (const text of texts) expect(text).not.toMatch(/jane|doe|example/);
      expect(texts.join("")).toBe(`ask ${gone} now`);
    }
  });
});

describe("not as in OpenAI's guardrails", () => {
  it("a stream throws before it returns blocked text, not afterwards", async () => {
    const { chunks, error } = await call(plugin(on, { email: "block" }), "model", requestOf(), {
      stream: pieces(`You can ask ${mail}, who knows the way.`, 4),
    });
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", types: ["email"], places: ["output"] });
    expect(textsOf(chunks).join("")).toBe("You can ask ");
    expect(JSON.stringify(chunks)).not.toContain("finish");
  });
});

describe("not as in OpenLIT", () => {
  it("a stream is guarded as a plain answer is, on its way in and out", async () => {
    const request = { ...requestOf(message("user", mail)), stream: true };
    const streamed = await call(plugin(on), "model", request, { stream: [piece(mail)] });
    const plain = await call(plugin(on), "model", request, { value: reply(mail) });
    expect(JSON.stringify(streamed.seen)).not.toContain("jane");
    expect(textsOf(streamed.chunks)).toEqual([gone]);
    expect((plain.final as Reply).message).toEqual(message("assistant", gone));
  });
});

describe("not as in Mastra", () => {
  it("detection is synchronous and calls no model", async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => {
      throw new Error("asked somebody");
    };
    try {
      expect(detect(mail)).toEqual([expect.objectContaining({ type: "email", start: 0, end: mail.length })]);
      expect(
        (await call(plugin(), "model", requestOf(message("user", mail)), { value: reply("ok") })).error,
      ).toBeUndefined();
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe("not as with [-\\s]? and \\b", () => {
  it("two lines are no card", () => {
    for (const lines of ["4111 1111\n1111 1111", "41111111\n11111111", "4111\r\n1111\r\n1111\r\n1111"]) {
      expect(detect(lines, { types: ["credit_card"] })).toEqual([]);
    }
    expect(detect("4111 1111 1111 1111", { types: ["credit_card"] })).toHaveLength(1);
  });

  it("values next to Chinese text are found", () => {
    const redactor = createRedactor({
      email: "redact",
      credit_card: "redact",
      ip: "redact",
      url: "redact",
      phone: "redact",
    });
    expect(redactor.redact("邮箱jane@x.com请回复")).toBe("邮箱[REDACTED_EMAIL]请回复");
    expect(redactor.redact("卡号4111111111111111有效")).toBe("卡号[REDACTED_CREDIT_CARD]有效");
    expect(redactor.redact("服务器10.0.0.1已停")).toBe("服务器[REDACTED_IP]已停");
    expect(redactor.redact("电话+86 138 0013 8000请拨打")).toBe("电话[REDACTED_PHONE]请拨打");
  });
});
