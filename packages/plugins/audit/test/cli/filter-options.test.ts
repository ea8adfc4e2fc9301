import { describe, expect, it } from "@jest/globals";
import { filterOf, filterOptions } from "../../src/cli/filter-options.js";
import { parse, UsageError } from "../../src/cli/usage.js";

const given = (...args: string[]) => filterOf(parse(["DIR", ...args], filterOptions));

describe("the filters of a command", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["2026-01-31T08:00", "2026-01-31T08:00:00Z"],
    ["2026-01-31T08:00:01.5Z", "2026-01-31T08:00:01.5Z"],
    ["2026-01-31T08:00+02:00", "2026-01-31T06:00:00Z"],
  ])("read %s as %s, wherever they are asked", async (text, time) => {
    expect(await given("--since", text)).toEqual({ since: Date.parse(time) });
  });

  it.each([
    ["30m", 30 * 60_000],
    ["24h", 86_400_000],
    ["7d", 7 * 86_400_000],
  ])("read %s as how long ago", async (text, ago) => {
    const before = Date.now();
    const { until = 0 } = await given("--until", text);
    expect(until).toBeGreaterThanOrEqual(before - ago);
    expect(until).toBeLessThanOrEqual(Date.now() - ago);
  });

  it.each(["yesterday", "2026-13-01", "5", "5y", "Jan 5"])("refuse %s", async (text) => {
    await expect(given("--since", text)).rejects.toThrow(UsageError);
  });

  it("hold only what was given", async () => {
    expect(await given("--run", "r", "--actor", "a", "--type", "t")).toEqual({ run: "r", actor: "a", type: "t" });
  });
});
