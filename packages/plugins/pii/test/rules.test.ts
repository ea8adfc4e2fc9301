import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect, PiiError, pii, type Rules } from "@suite/pii";

const wrong = (rules: unknown, options?: object): unknown => {
  try {
    createRedactor(rules as Rules, options);
  } catch (error) {
    return error;
  }
  return undefined;
};

const plugged = (rules: unknown, options: object): unknown => {
  try {
    pii(rules as Rules, options);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("strategies", () => {
  const text = "jane@x.com, 4111 1111 1111 1111, 10.0.0.1, 00:1a:2b:3c:4d:5e, https://x.com/a";
  const types = ["email", "credit_card", "ip", "mac", "url"];
  const all = (strategy: "redact" | "mask" | "hash"): Rules =>
    Object.fromEntries(types.map((type) => [type, strategy]));

  it("redact: a placeholder with the type as the rule names it", () => {
    expect(createRedactor(all("redact")).redact(text)).toBe(
      "[REDACTED_EMAIL], [REDACTED_CREDIT_CARD], [REDACTED_IP], [REDACTED_MAC], [REDACTED_URL]",
    );
    expect(createRedactor({ mac_address: "redact" }).redact("00:1a:2b:3c:4d:5e")).toBe("[REDACTED_MAC_ADDRESS]");
  });

  it("mask: what each type can show", () => {
    expect(
      createRedactor({ ...all("mask"), ticket: { recognizer: /TCK-\d{10}/, strategy: "mask" } }).redact(
        `${text}, TCK-1234567890`,
      ),
    ).toBe("j***@***, ****-****-****-1111, *.*.*.1, **:**:**:**:**:5e, https://***, ****7890");
  });

  it.each(["redact", "mask", "hash"] as const)("%s: what it leaves is found by nobody", (strategy) => {
    const treated = createRedactor(all(strategy), { hashKey: "0123456789abcdef" }).redact(text);
    expect(detect(treated)).toEqual([]);
  });

  it("hash: 64 bits of a MAC over key id, type and value", () => {
    const hashed = (rules: Rules, hashKey?: unknown): string =>
      createRedactor(rules, hashKey === undefined ? {} : { hashKey: hashKey as string }).redact("jane@x.com");
    const one = hashed({ email: "hash" }, "0123456789abcdef");
    expect(one).toMatch(/^<email_hash:[0-9a-f]{16}>$/);
    expect(hashed({ email: "hash" }, "0123456789abcdef")).toBe(one);
    const digest = (text: string): string => text.slice(-17);
    const others = [
      hashed({ email: "hash" }, "0123456789abcdeX"),
      hashed({ email: "hash" }, { id: "2", key: "0123456789abcdef" }),
      hashed({ mail: { recognizer: /jane@x\.com/, strategy: "hash" } }, "0123456789abcdef"),
      hashed({ email: "hash" }),
    ];
    expect(new Set([one, ...others].map(digest)).size).toBe(5);
    expect(hashed({ email: "hash" })).toBe(hashed({ email: "hash" }));
  });

  it("a function: what it returns", () => {
    const seen: unknown[] = [];
    const redactor = createRedactor({ email: (finding) => `<${seen.push(finding)}>` });
    expect(redactor.redact("to jane@x.com, bob@x.com")).toBe("to <1>, <2>");
    expect(seen[0]).toEqual({ type: "email", value: "jane@x.com", start: 3, end: 13, score: 0.95 });
  });

  it("block: an error with types, never values", () => {
    const error = (() => {
      try {
        return createRedactor({ email: "block" }).redact("jane@x.com");
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(PiiError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", types: ["email"] });
    expect(JSON.stringify(error, ["message", "stack", "types"])).not.toContain("jane");
  });
});

describe("rules that cannot be used are refused when they are made", () => {
  it.each([
    ["no rule", {}],
    ["an unknown type", { shoe_size: "redact" }],
    ["a wrong strategy", { email: "obfuscate" }],
    ["a strategy of Object's prototype", { email: "toString" }],
    ["no strategy", { email: {} }],
    ["two names of one type", { mac: "redact", mac_address: "redact" }],
    ["a type that is no name", { "e mail": { recognizer: /x/, strategy: "redact" } }],
    ["a recogniser that is none", { own: { recognizer: "x", strategy: "redact" } }],
    ["a maxLength that is none", { own: { recognizer: () => [], maxLength: -1, strategy: "redact" } }],
    ["a score that is none", { own: { recognizer: /x/, score: 7, strategy: "redact" } }],
    ["not an object", "email"],
    ["an option that is misspelt", { email: { strategy: "redact", denny: ["x"] } }],
  ])("%s", (_, rules) => {
    expect(wrong(rules)).toMatchObject({ code: "ERR_PII_INVALID_RULE" });
  });

  it.each([
    ["of a rule", () => wrong({ email: { strategy: "redact", alow: ["a@x.com"] } }), "alow"],
    ["of a redactor", () => wrong({ email: "hash" }, { hashkey: "0123456789abcdef" }), "hashkey"],
    ["of a plugin", () => plugged({ email: "redact" }, { aply: { output: true } }), "aply"],
    ["of a plugin for one type", () => plugged("email", { strategy: "redact", denny: ["x"] }), "denny"],
    ["of a rule where the plugin has its own", () => plugged({ email: "redact" }, { deny: ["x"] }), "deny"],
    ["of what is put back", () => plugged({ email: "tokenize" }, { restore: { tool: ["send"] } }), "tool"],
  ])("an option %s that does not exist, by its name", (_, made, name) => {
    expect(made()).toMatchObject({
      code: "ERR_PII_INVALID_RULE",
      message: expect.stringContaining(`no option "${name}"`),
    });
  });

  it("valid options are accepted", () => {
    expect(wrong({ email: "hash" }, { hashKey: "0123456789abcdef" })).toBeUndefined();
    expect(plugged("email", { strategy: "redact", allow: ["a@x.com"], apply: { output: true } })).toBeUndefined();
    expect(plugged({ email: "tokenize" }, { restore: { tools: ["send"] } })).toBeUndefined();
  });

  it("a hash key that is too short", () => {
    expect(wrong({ email: "hash" }, { hashKey: "short" })).toMatchObject({ code: "ERR_PII_INVALID_RULE" });
  });

  it("with the closed list of strategies in the message", () => {
    expect(wrong({ email: "obfuscate" })).toMatchObject({
      message: expect.stringContaining("block, redact, mask, hash"),
    });
  });
});

describe("users' functions", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("jane@x.com");
      },
    ],
    ["matches outside the text", () => [{ start: 0, end: 99 }]],
    ["matches nothing", () => [{ start: 1, end: 1 }]],
    ["gives no numbers", () => [{ start: Number.NaN, end: 2 }]],
    ["gives nothing to iterate", () => 7 as never],
  ])("that %s end with an error that names them", (_, recognizer) => {
    const redactor = createRedactor({ own: { recognizer, strategy: "redact" } });
    expect(() => redactor.redact("some text")).toThrow(
      expect.objectContaining({
        code: "ERR_PII_DETECTION_FAILED",
        types: ["own"],
        message: expect.not.stringContaining("jane"),
      }),
    );
  });

  it("that match longer than they declared end with an error", () => {
    const redactor = createRedactor({
      own: { recognizer: () => [{ start: 0, end: 5 }], maxLength: 4, strategy: "redact" },
    });
    expect(() => redactor.redact("some text")).toThrow(expect.objectContaining({ code: "ERR_PII_DETECTION_FAILED" }));
  });

  it("without maxLength hold a stream to its end, or refuse it", () => {
    const recognizer = (text: string) =>
      text.includes("secret") ? [{ start: text.indexOf("secret"), end: text.indexOf("secret") + 6 }] : [];
    const stream = createRedactor({ own: { recognizer, strategy: "redact" } }).stream();
    expect(stream.push("a secret place")).toBe("");
    expect(stream.end()).toBe("a [REDACTED_OWN] place");
    const refusing = createRedactor({ own: { recognizer, strategy: "redact", onStream: "refuse" } });
    expect(refusing.redact("a secret place")).toBe("a [REDACTED_OWN] place");
    expect(() => refusing.stream()).toThrow(
      expect.objectContaining({ code: "ERR_PII_NOT_STREAMABLE", types: ["own"] }),
    );
  });

  it("that overlap with a match of another type leave no part of either", () => {
    const redactor = createRedactor({ email: "redact", own: { recognizer: /x\.com and more/, strategy: "redact" } });
    expect(redactor.redact("jane@x.com and more.")).toBe("[REDACTED_EMAIL][REDACTED_OWN].");
  });

  it("as strategies: one that throws or gives no string is an error with its name", () => {
    for (const strategy of [
      () => {
        throw new Error("jane");
      },
      () => 7 as never,
    ]) {
      expect(() => createRedactor({ email: strategy }).redact("jane@x.com")).toThrow(
        expect.objectContaining({
          code: "ERR_PII_DETECTION_FAILED",
          types: ["email"],
          message: expect.not.stringContaining("jane"),
        }),
      );
    }
  });
});
