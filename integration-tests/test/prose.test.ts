import { describe, expect, it } from "@jest/globals";
import { excess, maxima, measure, proseOf, rates } from "../../scripts/prose.mjs";
import { habits } from "../../scripts/prose-habits.mjs";

// CONTRIBUTING.md, "How we write": the habits of scripts/prose-habits.mjs stay below their limits.

describe("the project's English", () => {
  it.each(["code", "docs"] as const)("stays below the limits of each habit in %s", (kind) => {
    const measured = measure(kind);
    expect(measured.words).toBeGreaterThan(50_000);
    expect(excess(kind, measured)).toEqual([]);
  });
});

describe("the count of habits", () => {
  it("reports a habit above its limit, and the total", () => {
    const comment = "// What is told, where it is none.";
    const lines = excess("code", rates([proseOf("a.ts", comment)]));
    expect(lines[0]).toMatch(/^code: .* of at most 2$/);
    expect(lines).toContainEqual(expect.stringContaining("what (for a noun)"));
  });

  it("ignores code in comments and documentation", () => {
    const text = "`told`\n```ts\nwhat is told\n```\n";
    expect([proseOf("a.md", text), proseOf("a.ts", `/* ${text} */`)].map((prose) => rates([prose]).hits)).toEqual([
      0, 0,
    ]);
  });

  it("has a limit for each habit that does not exceed the total", () => {
    expect(habits.filter(({ limit }) => limit > Math.min(...Object.values(maxima)))).toEqual([]);
  });
});
