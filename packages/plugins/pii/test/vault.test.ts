import { describe, expect, it, jest } from "@jest/globals";
import { memoryVault, randomTag, type Vault } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const fullError = expect.objectContaining({ code: "ERR_PII_VAULT_FULL" });
const id = (vault: Vault, value: string, session = "s") => vault.id(session, "EMAIL", value);

describe("a vault in memory", () => {
  it("gives the same token for the same value, in each session another", () => {
    const vault = memoryVault();
    const a = id(vault, "a");
    expect(a).toEqual({ label: "EMAIL", number: 1, tag: expect.stringMatching(/^[bcdfghjkmnpqrstvwxyz]{8}$/) });
    expect(id(vault, "b")).toEqual({ ...a, number: 2 });
    expect(vault.id("s", "IP", "a")).toEqual({ ...a, label: "IP" });
    expect(id(vault, "a")).toEqual(a);
    expect(id(vault, "a", "t").tag).not.toBe(a.tag);
  });

  it("gives values back to their session alone", () => {
    const vault = memoryVault();
    const a = id(vault, "a");
    expect(vault.value("s", a)).toBe("a");
    expect(vault.value("t", a)).toBeUndefined();
    id(vault, "other", "t");
    expect(vault.value("t", a)).toBeUndefined();
    expect(vault.value("s", { ...a, number: 2 })).toBeUndefined();
    expect(vault.value("s", { ...a, label: "IP" })).toBeUndefined();
    expect(vault.value("s", { ...a, label: "__proto__" })).toBeUndefined();
  });

  it("never confuses values or sessions, whatever they are called", () => {
    const names = fc.constantFrom("", "a", "a b", "EMAIL a", "__proto__", "run:a", "\ud800");
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.constantFrom("EMAIL", "A"), names), { maxLength: 30 }), (asked) => {
        const vault = memoryVault();
        const ids = asked.map(([session, label, value]) => vault.id(session, label, value));
        for (const [index, [session, label, value]] of asked.entries()) {
          const given = ids[index] as (typeof ids)[number];
          expect(vault.value(session, given)).toBe(value);
          expect(vault.id(session, label, value)).toEqual(given);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("forgets a session whole, and starts it again with another tag", () => {
    const vault = memoryVault();
    const a = id(vault, "a");
    const kept = id(vault, "a", "t");
    vault.erase("s");
    vault.erase("never there");
    expect(vault.value("s", a)).toBeUndefined();
    expect(vault.value("t", kept)).toBe("a");
    const again = id(vault, "b");
    expect(again.number).toBe(1);
    expect(again.tag).not.toBe(a.tag);
    expect(vault.value("s", a)).toBeUndefined();
  });

  it("refuses a new value when a session is full, and goes on serving the old ones", () => {
    const vault = memoryVault({ maxPerSession: 2 });
    const a = id(vault, "a");
    id(vault, "b");
    expect(() => id(vault, "c")).toThrow(fullError);
    expect(id(vault, "a")).toEqual(a);
    expect(vault.value("s", a)).toBe("a");
    expect(id(vault, "c", "t").number).toBe(1);
  });

  it("refuses a new value when all is full, never drops one in use, and takes one when a session was erased", () => {
    const vault = memoryVault({ maxEntries: 2 });
    const a = id(vault, "a");
    id(vault, "b", "t");
    expect(() => id(vault, "c", "u")).toThrow(fullError);
    expect(vault.value("s", a)).toBe("a");
    vault.erase("t");
    expect(id(vault, "c", "u").number).toBe(1);
  });

  it("erases sessions that were not used for its ttl, and no others", () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const vault = memoryVault({ ttl: 1000, maxEntries: 2 });
      const a = id(vault, "a");
      const b = id(vault, "b", "t");
      jest.setSystemTime(900);
      expect(vault.value("t", b)).toBe("b");
      jest.setSystemTime(1500);
      expect(id(vault, "c", "u").number).toBe(1);
      expect(vault.value("s", a)).toBeUndefined();
      expect(vault.value("t", b)).toBe("b");
    } finally {
      jest.useRealTimers();
    }
  });

  it("refuses invalid limits", () => {
    for (const limits of [{ maxEntries: 0 }, { maxPerSession: 1.5 }, { ttl: Number.NaN }]) {
      expect(() => memoryVault(limits)).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
    }
  });
});

describe("a tag", () => {
  it("has every letter as often", () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 5000; n++) for (const letter of randomTag()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(20);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(300); // 6.9 standard deviations
  });
});
