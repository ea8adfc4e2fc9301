import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { hashedValue, readValueKey, valueKey } from "../../src/index.js";

const secret = "0123456789abcdef";
const key = valueKey(secret);

describe("hashed values", () => {
  test("name the algorithm and the key, and are HMAC-SHA-256 as OpenSSL computes it", () => {
    // printf jane@example.com | openssl dgst -sha256 -hmac 0123456789abcdef; printf 0123456789abcdef | sha256sum
    expect(hashedValue(key, "jane@example.com")).toBe(
      "hmac-sha256:9f9f5111:a7a54661c75bce906717ca553fdff1b9e2c578d8c764c8e7d23ff39b7b5096b1",
    );
  });

  test.each([
    ["jane@example.com", "Jane@Example.COM "],
    ["4111111111111111", "4111-1111 1111\u00a01111"],
    ["+493012345", "+49 (30) 123-45"],
    ["030/12345", "030 12345"],
    ["DE89370400440532013000", "de89 3704 0044 0532 0130 00"],
    ["123456789", "１２３‐４５‐６７８９"],
  ])("are one for %s and %s", (one, other) => {
    expect(hashedValue(key, other)).toBe(hashedValue(key, one));
  });

  test.each([
    ["1.23.4.5", "12.3.4.5"],
    ["jane-doe@example.com", "janedoe@example.com"],
    ["+493012345", "493012345"],
    ["1::23", "12::3"],
  ])("are two for %s and %s", (one, other) => {
    expect(hashedValue(key, other)).not.toBe(hashedValue(key, one));
  });

  test("are the same for a spelling that was spelt again, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(hashedValue(key, ` ${text.toUpperCase().toLowerCase()} `)).toBe(
          hashedValue(key, text.toUpperCase().toLowerCase().normalize("NFD")),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  test("are others under another key", () => {
    const other = valueKey("another key of 16");
    expect(other.kid).not.toBe(key.kid);
    expect(hashedValue(other, "a").split(":")[2]).not.toBe(hashedValue(key, "a").split(":")[2]);
  });
});

describe("a key for values", () => {
  test("is the same from text, bytes and a file with a newline", async () => {
    const dir = await mkdtemp(join(tmpdir(), "audit-values-"));
    try {
      await writeFile(join(dir, "values"), `${secret}\n`);
      expect((await readValueKey(join(dir, "values"))).kid).toBe(key.kid);
      expect(valueKey(Buffer.from(secret)).kid).toBe(key.kid);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test("has at least 16 bytes", () => {
    expect(() => valueKey(" 0123456789abcde ")).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_KEY" }));
  });

  test("does not show its secret when printed", () => {
    expect(inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)).not.toContain(secret);
  });
});
