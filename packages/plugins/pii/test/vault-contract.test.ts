import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { memoryVault } from "@suite/pii";
import { fileVault, storeVault } from "@suite/pii/node";
import { describeVault } from "@suite/testkit";

const dir = mkdtempSync(join(tmpdir(), "vault-contract-"));
afterAll(() => rmSync(dir, { recursive: true }));
const key = randomBytes(32);
const shared = memoryVault();
const store = memoryStateStore();

describeVault("memoryVault", { open: () => shared }, { describe, it });
describeVault("fileVault", { open: () => fileVault({ dir, key }) }, { describe, it });
describeVault("storeVault", { open: () => storeVault({ store, key }) }, { describe, it });

/** A store that keeps what is written, and counts what it is asked. */
function watchedStore() {
  const inner = memoryStateStore();
  const written = new Map<string, unknown>();
  let asked = 0;
  const watched: StateStore = {
    ...inner,
    get(name) {
      asked++;
      return inner.get(name);
    },
    compareAndSet(name, version, value, expiry) {
      asked++;
      written.set(name, value);
      return inner.compareAndSet(name, version, value, expiry);
    },
  };
  return { store: watched, written, asked: () => asked, inner };
}

const failed = expect.objectContaining({ code: "ERR_PII_VAULT_FAILED" });

describe("a vault in a store", () => {
  it("writes neither values nor names of users and sessions in clear", async () => {
    const { store: watched, written } = watchedStore();
    await storeVault({ store: watched, key }).id("ticket-7", "EMAIL", "jane@example.com", "ada");
    const all = JSON.stringify([...written]);
    expect(all).not.toMatch(/jane|EMAIL|ticket|ada"/);
    expect([...written.keys()].every((name) => name.startsWith("pii:vault:"))).toBe(true);
  });

  it("asks its store a few times for many values of one request", async () => {
    const { store: watched, asked } = watchedStore();
    const vault = storeVault({ store: watched, key });
    await Promise.all(Array.from({ length: 500 }, (_, index) => vault.id("s", "EMAIL", `v${index}`, "ada")));
    expect(asked()).toBeLessThan(20);
  });

  it("refuses a new value when a session is full, and goes on serving the old ones", async () => {
    const vault = storeVault({ store: memoryStateStore(), key, maxPerSession: 2 });
    const a = await vault.id("s", "EMAIL", "a", "ada");
    const full = expect.objectContaining({ code: "ERR_PII_VAULT_FULL" });
    const asked = ["b", "c"].map((value) => vault.id("s", "EMAIL", value, "ada"));
    await expect(Promise.allSettled(asked)).resolves.toEqual([
      expect.objectContaining({ status: "fulfilled" }),
      { status: "rejected", reason: full },
    ]);
    expect(await vault.id("s", "EMAIL", "a", "ada")).toEqual(a);
    expect(await vault.value("s", a, "ada")).toBe("a");
  });

  it("refuses records of another key, and records of another form", async () => {
    const { store: watched, written, inner } = watchedStore();
    await storeVault({ store: watched, key }).id("s", "EMAIL", "a", "ada");
    const other = storeVault({ store: watched, key: randomBytes(32) });
    await expect(other.id("s", "EMAIL", "a", "ada")).rejects.toEqual(failed);
    for (const name of written.keys()) {
      const stored = await inner.get(name);
      await inner.compareAndSet(name, stored?.version, { key: 1, parts: null });
      await expect(storeVault({ store: watched, key }).id("s", "EMAIL", "a", "ada")).rejects.toEqual(failed);
      await inner.compareAndSet(name, (await inner.get(name))?.version, stored?.value);
    }
  });

  it("rejects with what its store throws, and works again afterwards", async () => {
    const inner = memoryStateStore();
    let down = true;
    const get: StateStore["get"] = (name) => (down ? Promise.reject(new Error("down")) : inner.get(name));
    const vault = storeVault({ store: { ...inner, get }, key });
    await expect(vault.id("s", "EMAIL", "a")).rejects.toThrow("down");
    down = false;
    const id = await vault.id("s", "EMAIL", "a");
    expect(await vault.value("s", id)).toBe("a");
  });

  it("gives up if others change a record again and again", async () => {
    const never: StateStore = { ...memoryStateStore(), compareAndSet: () => false };
    await expect(storeVault({ store: never, key }).id("s", "EMAIL", "a")).rejects.toEqual(failed);
  });

  it("refuses options that cannot be used", () => {
    for (const options of [{ key: randomBytes(16) }, { key, ttl: 0 }, { key, store: {} as never }]) {
      expect(() => storeVault({ store, ...options })).toThrow(
        expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
      );
    }
  });
});
