import { expect, it } from "@jest/globals";
import { createRedactor, inBase64, pii } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const redactor = createRedactor({ encoded: { ...inBase64(["email", "credit_card"]), strategy: "redact" } });
const encoded = (text: string, form: "base64" | "base64url" = "base64"): string =>
  Buffer.from(text).toString(form).replace(/=+$/, "");

it("replaces base64 that contains a value of the chosen types, in either alphabet", () => {
  for (const form of ["base64", "base64url"] as const) {
    const token = encoded('{"to":"jane@x.com","q":"ÿþ??"}', form);
    expect(redactor.redact(`see ${token}, please`)).toBe("see [REDACTED_ENCODED], please");
  }
  const address = encoded("the address is 10.0.0.1");
  expect(redactor.redact(address)).toBe(address);
});

it("finds it wherever it begins, behind other letters too, and with padding", () => {
  for (const before of ["", "a", "ab", "abc", "x="]) {
    const text = before + Buffer.from("write to jane@x.com").toString("base64");
    expect(redactor.redact(text)).toContain("[REDACTED_ENCODED]");
    expect(redactor.redact(text)).not.toContain(encoded("jane@x").slice(2, 6));
  }
});

it("finds it in a long stretch, and takes out no more than it must", () => {
  const text = encoded(`${"nothing here ".repeat(300)}jane@x.com${" nor here".repeat(300)}`);
  const out = redactor.redact(text);
  expect(out).toContain("[REDACTED_ENCODED]");
  expect(out.length).toBeGreaterThan(text.length - 3000);
});

it("does not change prose, code, hashes and images", () => {
  const text = `${"internationalisation of considerations ".repeat(20)}${"0123456789abcdef".repeat(4)} ${"iVBORw0KGgoAAAANSUhEUgAA".repeat(50)}`;
  expect(redactor.redact(text)).toBe(text);
});

it("streams what it gives for the whole, however it is cut", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.string({ maxLength: 400 }).map((text) => encoded(text)),
    fc.constantFrom(encoded("jane@x.com, hello"), encoded(`${"a b ".repeat(400)}4111 1111 1111 1111`)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 50 }), (pieces, size) => {
      const text = pieces.join(" ");
      const stream = redactor.stream();
      let out = "";
      for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
      expect(out + stream.end()).toBe(redactor.redact(text));
    }),
    { numRuns: runs(200) },
  );
});

it("refuses an unknown type when the rule is created", () => {
  expect(() => pii({ encoded: { ...inBase64(["shoe_size"]), strategy: "redact" } })).toThrow(
    expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
  );
});
