import { describe, expect, it } from "@jest/globals";
import { createRedactor, PiiError, type PiiPlace } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const redactor = createRedactor({ email: "block", ip: "redact" });

/** The place at which a call says that something is blocked. */
function placeOf(run: () => unknown): PiiPlace | undefined {
  try {
    run();
  } catch (error) {
    if (!PiiError.is(error)) throw error;
    expect([error.code, error.types]).toEqual(["ERR_PII_BLOCKED", ["email"]]);
    expect(error.message).not.toContain("jane");
    expect(error.message).toContain(`line ${error.at?.line}, column ${error.at?.column}`);
    if (error.at?.path !== undefined) expect(error.message).toContain(error.at.path);
    return error.at;
  }
  throw new Error("Nothing was blocked.");
}

describe("what is blocked without an agent is told by its place", () => {
  it.each([
    ["jane@x.com", { line: 1, column: 1 }],
    ["10.0.0.1\r\n\n  to jane@x.com", { line: 3, column: 6 }],
    ["😀 jane@x.com", { line: 1, column: 4 }],
  ])("in the text %j", (text, at) => {
    expect(placeOf(() => redactor.redact(text))).toEqual(at);
  });

  it("in a stream, however it is cut", () => {
    const piece = fc.constantFrom("\n", "a b\n", "\r\n", "10.0.0.1 ", "word ", "😀\n");
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const before = pieces.join("");
        const text = `${before}jane@x.com and on`;
        const stream = redactor.stream();
        const run = (): void => {
          for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
          stream.end();
        };
        const lines = before.split("\n");
        expect(placeOf(run)).toEqual({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
      }),
      { numRuns: runs(200) },
    );
  });

  it("asynchronously", async () => {
    await expect(redactor.redactAsync("a\njane@x.com")).rejects.toMatchObject({ at: { line: 2, column: 1 } });
  });

  it.each<[string, unknown, string]>([
    ["a field", { user: { name: "J", email: "to jane@x.com" } }, "user.email"],
    ["an item of a list", { messages: [{ content: "x" }, { content: "jane@x.com" }] }, "messages[1].content"],
    ["a list itself", ["x", "jane@x.com"], "[1]"],
    ["a key", { list: [{ "jane@x.com": 1 }] }, "list[0].{key}"],
    ["a Map", { map: new Map([["who", "jane@x.com"]]) }, "map.who"],
    ["a URL's own form", { link: { toJSON: () => "jane@x.com" } }, "link"],
    ["bytes", { file: new TextEncoder().encode("jane@x.com") }, "file"],
    ["an error's message", { error: new Error("jane@x.com") }, "error.stack"],
    ["a field that is itself a finding", { "10.0.0.1": "jane@x.com" }, "[REDACTED_IP]"],
  ])("in %s of a value", (_, value, path) => {
    const at = placeOf(() => redactor.value(value));
    expect(at).toMatchObject({ line: 1, path });
  });

  it("without more than the types where the value stands alone", () => {
    expect(placeOf(() => redactor.value("jane@x.com"))).toEqual({ line: 1, column: 1 });
  });

  it("in a value that refers to itself, or is deep", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(placeOf(() => redactor.value({ round, last: "jane@x.com" }))?.path).toBe("last");
    let deep: unknown = "jane@x.com";
    for (let depth = 0; depth < 1000; depth++) deep = [deep];
    expect(placeOf(() => redactor.value(deep))?.path).toMatch(/^(?:\[0\]){16}$/);
  });
});
