import { describe, expect, it } from "@jest/globals";
import { type BoundCall, callDigest, canonical, digestOf, KeyRing } from "@suite/kit/digest";
import fc from "fast-check";

const call: BoundCall = { runId: "r", userId: "u", tenantId: "t", tool: "pay", id: "1", arguments: { eur: 10 } };

describe("callDigest", () => {
  it("has the value that other implementations compute", async () => {
    // printf '%s' '{"arguments":{"eur":10},"call":"1","run":"r","tenant":"t","tool":"pay","user":"u"}' | sha256sum
    expect(await callDigest(call)).toBe("01f1be5347176137b7e8f92ecf9902788efd0cbd3c7f713db6631a20fff380a1");
  });

  it.each<[string, Partial<BoundCall>]>([
    ["run", { runId: "s" }],
    ["user", { userId: "v" }],
    ["user that is absent", { userId: undefined }],
    ["tenant", { tenantId: "v" }],
    ["tool", { tool: "look" }],
    ["id", { id: "2" }],
    ["argument", { arguments: { eur: 10.01 } }],
    ["list instead of an object", { arguments: { to: ["x"] } }],
    ["object instead of a list", { arguments: { to: { 0: "x" } } }],
  ])("differs for another %s", async (_, other) => {
    expect(await callDigest({ ...call, ...other })).not.toBe(await callDigest(call));
  });

  it("does not depend on the order of keys", () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(await callDigest({ ...call, arguments: reversed })).toBe(
          await callDigest({ ...call, arguments: value }),
        );
      }),
    ));
});

it("canonical differs for different JSON values", () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isSame = JSON.stringify(JSON.parse(canonical(a))) === JSON.stringify(JSON.parse(canonical(b)));
      expect(canonical(a) === canonical(b)).toBe(isSame);
    }),
  ));

it("digestOf is the same for equal values", async () => {
  expect(await digestOf({ a: 1, b: [undefined] })).toBe(await digestOf({ b: [null], a: 1 }));
});

describe("KeyRing", () => {
  const [old, young] = ["old", "young"].map((id) => ({ id, secret: id.repeat(16) })) as [never, never];

  it("signs with the first key and verifies with any", async () => {
    const signature = await new KeyRing([old]).sign({ a: 1 });
    expect(signature.kid).toBe("old");
    expect(await new KeyRing([young, old]).verify({ a: 1 }, signature)).toBe(true);
    expect(await new KeyRing([young]).verify({ a: 1 }, signature)).toBe(false);
  });

  it("refuses another value, another MAC and what is no signature", async () => {
    const ring = new KeyRing([old]);
    const signature = await ring.sign({ a: 1 });
    expect(await ring.verify({ a: 2 }, signature)).toBe(false);
    for (const mac of ["", "not base64!", btoa("x".repeat(32)), undefined, 1 as never])
      expect(await ring.verify({ a: 1 }, { ...signature, mac: mac as string })).toBe(false);
    expect(await ring.verify({ a: 1 }, undefined)).toBe(false);
  });
});
