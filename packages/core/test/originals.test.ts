import { describe, expect, it } from "@jest/globals";
import { isOriginalId, Originals } from "../src/framework.js";

describe("Originals", () => {
  it("returns an original for the id that it was kept under", () => {
    const originals = new Originals<object>();
    const original = { thinking: "Hm." };
    const id = originals.keep(original);
    expect(isOriginalId(id)).toBe(true);
    expect(originals.get(id)).toBe(original);
    expect(originals.get("another")).toBeUndefined();
  });

  it("keeps an original under a signature of its provider, once", () => {
    const originals = new Originals<object>();
    originals.keep({ thinking: "One." }, "signed");
    originals.keep({ thinking: "Two." }, "signed");
    expect(originals.size).toBe(1);
    expect(originals.get("signed")).toEqual({ thinking: "Two." });
  });

  it("removes the oldest originals beyond 1,000, one that was kept again last", () => {
    const originals = new Originals<number>();
    for (let index = 0; index < 1000; index++) originals.keep(index, `${index}`);
    originals.keep(0, "0");
    originals.keep(1000, "1000");
    expect(originals.size).toBe(1000);
    expect([originals.get("0"), originals.get("1"), originals.get("2")]).toEqual([0, undefined, 2]);
  });

  it("removes the oldest originals beyond 8,000,000 characters, and keeps none that is longer", () => {
    const originals = new Originals<string>();
    const long = "a".repeat(3_000_000);
    for (const id of ["a", "b", "c"]) originals.keep(long, id);
    expect([originals.get("a"), originals.get("c")]).toEqual([undefined, long]);
    originals.keep("a".repeat(8_000_001), "d");
    expect([originals.get("d"), originals.get("c")]).toEqual([undefined, long]);
  });
});
