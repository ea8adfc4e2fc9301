import { describe, expect, it } from "@jest/globals";
import { ContextError, contentLimit, historyLimit, tokenLimit } from "@suite/context";
import { type Message, message, textOf, toolCall, toolCallResponse } from "@suite/core";
import { toolContent, toolContentOf } from "@suite/core/messages";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer";
import { runs } from "../../../../scripts/runs.mjs";
import { histories, newOrphans } from "./histories.js";
import { Rig } from "./support.js";

const turn = (at: number): readonly Message[] => [
  message("user", `question ${at}`),
  message("assistant", [toolCall(`${at}`, "look", { at })]),
  message("tool", [toolCallResponse(`${at}`, `result ${at}`)]),
];
const history = [...turn(1), message("assistant", "1"), ...turn(2), message("assistant", "2"), ...turn(3)];
const system = message("system", "Be brief.");
const codeOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => "",
    (error: { code?: string }) => error.code,
  );
const isTold = (decision: string, enforced = true) => ({ type: "decision", decision, enforced });

describe("historyLimit", () => {
  it("lets the newest messages go, and the system prompt beside them", async () => {
    const rig = new Rig([historyLimit({ messages: 4 })]);
    expect(await rig.model([system, ...history])).toEqual([system, ...turn(3)]);
    expect(rig.decisions).toMatchObject([{ ...isTold("trimmed"), plugin: "history-limit 4", details: { dropped: 8 } }]);
  });

  it("changes and tells nothing while all fit", async () => {
    const rig = new Rig([historyLimit({ messages: 11 })]);
    expect(await rig.model(history)).toBe(history);
    expect(rig.told).toEqual([]);
  });

  // In another system a limit of 1 sends the first question of all, and the new one is lost.
  it("of one message sends the newest question, not the first", async () => {
    const asked = [...history, message("assistant", "3"), message("user", "and now?")];
    expect(await new Rig([historyLimit({ messages: 1 })]).model(asked)).toEqual([message("user", "and now?")]);
  });

  // In another system limits are soft, and a limit of 2 sends 6.
  it("is hard: if the minimum does not fit, the run fails, or the minimum is sent", async () => {
    expect(await codeOf(new Rig([historyLimit({ messages: 2 })]).model(history))).toBe("ERR_CONTEXT_TOO_LARGE");
    const sends = new Rig([historyLimit({ messages: 2, whenTooLarge: "send" })]);
    expect(await sends.model(history)).toEqual(turn(3));
    expect(sends.decisions).toMatchObject([
      { type: "limit", limit: "context_messages", maximum: 2, enforced: true },
      isTold("trimmed"),
    ]);
  });

  it("keeps the question of a long run in front of its newest steps", async () => {
    const [question, ...step] = turn(1) as [Message, ...Message[]];
    const long = [question, ...step, ...turn(2).slice(1), ...turn(3).slice(1)];
    expect(await new Rig([historyLimit({ messages: 4 })]).model(long)).toEqual([question, ...turn(3).slice(1)]);
  });

  it("takes no reminder of a plugin for the newest question, and drops no step for one", async () => {
    const reminder = message("user", "<system-reminder>go on</system-reminder>");
    const asked = [...history, reminder];
    expect(await new Rig([historyLimit({ messages: 4 })]).model(asked)).toEqual([...turn(3), reminder]);
    expect(await codeOf(new Rig([historyLimit({ messages: 3 })]).model(asked))).toBe("ERR_CONTEXT_TOO_LARGE");
  });

  it("in monitor mode tells, and changes nothing", async () => {
    const rig = new Rig([historyLimit({ messages: 2, mode: "monitor" })]);
    expect(await rig.model(history)).toBe(history);
    expect(rig.decisions).toMatchObject([{ type: "limit", enforced: false }, isTold("trimmed", false)]);
  });

  it("leaves what plugins ask alone", async () => {
    const rig = new Rig([historyLimit({ messages: 2 })]);
    expect(await rig.model(history, { purpose: "summarize" })).toBe(history);
  });
});

describe("tokenLimit", () => {
  it("counts the system prompt and the tools, and keeps within the bound what is sent", async () => {
    const tools = [{ name: "look", description: "x".repeat(37), parameters: {} }];
    const of = async (tokens: number, given = {}) =>
      (await new Rig([tokenLimit({ tokens })]).model([system, ...history], given)).length - 1;
    const alone = await of(40);
    expect(alone).toBeGreaterThan(3);
    expect(await of(40 + 11, { tools })).toBe(alone);
    expect(await of(40 + 10, { tools })).toBeLessThanOrEqual(alone);
  });

  // In another system a limit of 1 token sends the first message and the last.
  it("is hard", async () => {
    expect(await codeOf(new Rig([tokenLimit({ tokens: 1 })]).model(history))).toBe("ERR_CONTEXT_TOO_LARGE");
  });

  it("holds its bound by a real tokenizer, and leaves nothing alone", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 300 }), async (messages, tokens) => {
        const limit = tokenLimit({ tokens, countTokens: (text) => countTokens(text) });
        const rig = new Rig([limit]);
        let kept: readonly Message[];
        try {
          kept = await rig.model(messages);
        } catch (error) {
          expect(error).toMatchObject({ code: "ERR_CONTEXT_TOO_LARGE" });
          return;
        }
        const texts = kept.flatMap(({ parts }) =>
          parts.flatMap((part) => {
            if (part.type === "tool_call") return [part.name, JSON.stringify(part.arguments)];
            return [part.type === "tool_call_response" ? String(part.response) : textOf([part])];
          }),
        );
        expect(texts.reduce((sum, each) => sum + countTokens(each), 0)).toBeLessThanOrEqual(tokens);
        expect(newOrphans(messages, kept)).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  it("takes no counter that counts nothing: the bound would be none", async () => {
    const limit = tokenLimit({ tokens: 10, countTokens: () => Number.NaN });
    await expect(new Rig([limit]).model(history)).rejects.toMatchObject({ code: "ERR_CONTEXT_COUNT" });
  });

  it("counts each message once, however often it is sent", async () => {
    let counted = 0;
    const count = (text: string) => {
      counted++;
      return text.length;
    };
    const rig = new Rig([tokenLimit({ tokens: 1000, countTokens: count })]);
    for (let made = 0; made < 5; made++) await rig.model(history);
    expect(counted).toBe(3 * 4 + 2);
  });
});

describe("contentLimit", () => {
  it("removes the middle of long parts, marks it, and splits no surrogate pair", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 1, max: 200 }),
        async (text, partCharacters) => {
          const rig = new Rig([contentLimit({ partCharacters })]);
          const asked = [
            message("user", text),
            ...turn(1).slice(1, 2),
            message("tool", [toolCallResponse("1", { text })]),
          ];
          const [first, , last] = await rig.model(asked);
          const [result] = last?.parts ?? [];
          const shown = [textOf(first as Message), (result as { response: unknown }).response];
          for (const each of shown) {
            if (typeof each !== "string") continue;
            expect(each.length).toBeLessThanOrEqual(partCharacters);
            expect(each.isWellFormed()).toBe(true);
          }
          if (text.length <= partCharacters) expect(shown[0]).toBe(text);
          else expect(shown[0]).toContain("…");
        },
      ),
      { numRuns: runs(400) },
    );
    const rig = new Rig([contentLimit({ partCharacters: 100 })]);
    const [cut] = await rig.model([message("user", `${"a".repeat(500)}${"z".repeat(500)}`)]);
    expect(textOf(cut as Message)).toMatch(/^a+\n\[… 900 and more characters are left out here …\]\nz+$/);
    expect(rig.decisions).toMatchObject([{ ...isTold("trimmed"), details: { dropped: 0, shortened: 1 } }]);
  });

  it("contentLimit marks each result that it cut, also if the bound is at the end of one of its texts", async () => {
    const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 60 }), async (parts, partCharacters) => {
        const rig = new Rig([contentLimit({ partCharacters })]);
        const asked = [
          message("user", "?"),
          ...turn(1).slice(1, 2),
          message("tool", [toolCallResponse("1", toolContent(parts))]),
        ];
        const result = (await rig.model(asked)).at(-1)?.parts[0] as { response: unknown };
        const shown = textOf(toolContentOf(result.response) ?? []);
        const whole = parts.join("");
        if (whole.length <= partCharacters) return expect(shown).toBe(whole);
        expect(shown.length).toBeLessThanOrEqual(partCharacters);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).toContain("…");
      }),
      { numRuns: runs(400), examples: [[["x".repeat(20), "y"], 20]] },
    );
  });

  it("leaves the system prompt, reasoning and arguments whole", async () => {
    const long = "x".repeat(300);
    const asked = [
      message("system", long),
      message("user", "?"),
      message("assistant", [{ type: "reasoning", content: long, signature: "s" }, toolCall("1", "look", { long })]),
      message("tool", [toolCallResponse("1", "r")]),
    ];
    expect(await new Rig([contentLimit({ partCharacters: 100 })]).model(asked)).toBe(asked);
  });

  it("bounds all characters, after the parts", async () => {
    const asked = [message("user", "x".repeat(900)), message("assistant", "y".repeat(900)), message("user", "new")];
    const rig = new Rig([contentLimit({ partCharacters: 100, characters: 203 })]);
    const kept = await rig.model(asked);
    expect(kept.map(textOf).join("").length).toBeLessThanOrEqual(203);
    expect(kept).toHaveLength(3);
    const less = await new Rig([contentLimit({ partCharacters: 100, characters: 202 })]).model(asked);
    expect(less).toEqual([message("user", "new")]);
  });
});

it("options that make no sense are refused when a limit is made", () => {
  for (const bad of [0, -1, 1.5, Number.NaN, "10", undefined]) {
    expect(() => historyLimit({ messages: bad as number })).toThrow(ContextError);
    expect(() => tokenLimit({ tokens: bad as number })).toThrow(ContextError);
    if (bad !== undefined) expect(() => contentLimit({ characters: bad as number })).toThrow(ContextError);
  }
  expect(() => contentLimit({})).toThrow(/characters, partCharacters, or both/);
  expect(() => historyLimit({ messages: 1, whenTooLarge: "cut" as never })).toThrow(/whenTooLarge/);
  expect(() => tokenLimit({ tokens: 1, token: 1 } as never)).toThrow(/Unknown option/);
});
