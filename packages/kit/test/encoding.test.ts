import { describe, expect, it } from "@jest/globals";
import { fromBase64, isRecord, toBase64, toHex } from "@suite/kit";
import fc from "fast-check";

const bytes = fc.uint8Array({ maxLength: 200 });

describe("toBase64 and toHex", () => {
  it("encode bytes as Node does, also those of a view and more than fit one call", () => {
    fc.assert(
      fc.property(bytes, (given) => {
        expect(toBase64(given)).toBe(Buffer.from(given).toString("base64"));
        expect(toHex(given)).toBe(Buffer.from(given).toString("hex"));
        expect(toHex(given.slice().buffer)).toBe(toHex(given));
      }),
    );
    const large = new Uint8Array(300_000).fill(0xa5);
    expect(toBase64(large.subarray(1))).toBe(Buffer.from(large.subarray(1)).toString("base64"));
  });
});

describe("fromBase64", () => {
  it("returns the bytes that were encoded", () => {
    fc.assert(fc.property(bytes, (given) => expect(fromBase64(toBase64(given))).toEqual(given)));
  });

  it("refuses every other string, so that one value has one string", () => {
    for (const text of ["QQ", "QQ=", "QR==", "QQ==\n", " QQ==", "Q Q=", "QQ==QQ==", "QQ-_", "é==="])
      expect(fromBase64(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."AQRg+/= \n"), maxLength: 9 }), (text) => {
        const decoded = fromBase64(text);
        expect(decoded === undefined || toBase64(decoded) === text).toBe(true);
      }),
    );
  });
});

it("isRecord accepts objects with named fields, and neither null nor arrays", () => {
  for (const value of [{}, { a: 1 }, Object.create(null), new Map()]) expect(isRecord(value)).toBe(true);
  for (const value of [null, undefined, [], "a", 1, () => {}]) expect(isRecord(value)).toBe(false);
});
