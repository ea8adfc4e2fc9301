import { expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const subject = createRedactor({ email: "redact", url: "redact", ip: "redact" });
const pieces =
  "j jane @ x mail example .com com 。 ｡ ． ｊａ ＠ In it 请 co jp - @x。com http:// %40 é 端 \u200b".split(" ");

it("an address with ideographic full stops is found in a stream as in the whole text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(" ", ...pieces), { maxLength: 14 }).map((all) => all.join("")),
      fc.integer({ min: 1, max: 9 }),
      (text, size) => {
        const stream = subject.stream();
        let streamed = "";
        for (let at = 0; at < text.length; at += size) streamed += stream.push(text.slice(at, at + size));
        expect(streamed + stream.end()).toBe(subject.redact(text));
      },
    ),
    { numRuns: runs(4000) },
  );
});

it("an address has one hash, whatever its full stops are", () => {
  const hashes = createRedactor({ email: "hash" });
  const [plain, ideographic, halfWidth] = [".", "。", "｡"].map((stop) =>
    hashes.redact(`jane@mail${stop}example${stop}com`),
  );
  expect([ideographic, halfWidth]).toEqual([plain, plain]);
});
