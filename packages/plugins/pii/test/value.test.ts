import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect, PiiError } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const redactor = createRedactor({ email: "redact", credit_card: "redact" });
const mail = "jane@x.com";
const gone = "[REDACTED_EMAIL]";

describe("value", () => {
  it("treats strings in arrays, objects, Map and Set, and object keys", () => {
    expect(redactor.value({ a: [mail, { [mail]: 1 }], m: new Map([[mail, [mail]]]), s: new Set([mail]) })).toEqual({
      a: [gone, { [gone]: 1 }],
      m: new Map([[gone, [gone]]]),
      s: new Set([gone]),
    });
  });

  it("returns a value without findings itself, and keeps unchanged parts in a copy", () => {
    const clean = { a: [1, "x", null, undefined, true], d: new Date(), b: new Uint8Array(3) };
    expect(redactor.value(clean)).toBe(clean);
    const mixed = { clean, mail };
    const treated = redactor.value(mixed) as typeof mixed;
    expect(treated).toEqual({ clean, mail: gone });
    expect(treated.clean).toBe(clean);
    expect(mixed.mail).toBe(mail);
  });

  it("makes a string of a number that is a card, and leaves other numbers", () => {
    expect(redactor.value([4111111111111111, 4111111111111111n, 1700000000000, 0.5, Number.NaN, -0])).toEqual([
      "[REDACTED_CREDIT_CARD]",
      "[REDACTED_CREDIT_CARD]",
      1700000000000,
      0.5,
      Number.NaN,
      -0,
    ]);
  });

  it("keeps cycles and sharing", () => {
    const shared = { mail };
    const value: Record<string, unknown> = { one: shared, two: shared };
    value.self = value;
    const treated = redactor.value(value) as Record<string, unknown>;
    expect(treated.self).toBe(treated);
    expect(treated.one).toBe(treated.two);
    expect(treated.one).toEqual({ mail: gone });
    const clean: Record<string, unknown> = {};
    clean.self = clean;
    expect(redactor.value(clean)).toBe(clean);
  });

  it("takes __proto__ for a name like any other", () => {
    const treated = redactor.value(JSON.parse('{"__proto__":{"polluted":"jane@x.com"}}')) as object;
    expect(Object.getPrototypeOf(treated)).toBe(Object.prototype);
    expect(JSON.stringify(treated)).toBe('{"__proto__":{"polluted":"[REDACTED_EMAIL]"}}');
    expect("polluted" in {}).toBe(false);
  });

  it("loses no entry when two keys become one", () => {
    expect(redactor.value({ "a@x.com": 1, "b@x.com": 2, "c@x.com": 3 })).toEqual({
      [gone]: 1,
      [`${gone}_2`]: 2,
      [`${gone}_3`]: 3,
    });
  });

  it("is as quick where a hundred thousand keys become one", () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}@x.com`, index]));
    const treated = redactor.value(value) as object;
    expect(Object.keys(treated).length).toBe(100_000);
    expect(Object.keys(treated).at(-1)).toBe(`${gone}_100000`);
  });

  it("treats an error's message, stack, cause and fields, and keeps its class", () => {
    const error = Object.assign(new TypeError(`no ${mail}`, { cause: new Error(mail) }), { to: mail });
    const treated = redactor.value(error) as TypeError & { to: string; cause: Error };
    expect(Object.getPrototypeOf(treated)).toBe(TypeError.prototype);
    expect([treated.message, treated.cause.message, treated.to]).toEqual([`no ${gone}`, gone, gone]);
    expect(treated.stack).toContain(gone);
    expect(`${treated.stack}${treated.cause.stack}`).not.toContain(mail);
    expect(Object.keys(treated)).toEqual(["to"]);
    expect(Object.prototype.toString.call(treated)).toBe("[object Error]");
  });

  it("replaces members whose getters or proxies throw", () => {
    const value = {
      mail,
      get broken(): string {
        throw new Error(mail);
      },
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error(mail);
          },
        },
      ),
    };
    expect(redactor.value(value)).toEqual({ mail: gone, broken: "[UNREADABLE]", proxy: "[UNREADABLE]" });
  });

  it("survives unreadable parts at any position", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = () => {
      throw new Error(mail);
    };
    const hostile = new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing });
    for (const one of [proxy, hostile]) {
      expect(redactor.value(one)).toBe("[UNREADABLE]");
      expect(redactor.value([one, mail])).toEqual(["[UNREADABLE]", gone]);
    }
  });

  it("reads a Map and a Set as they are, not as a subclass tells them", () => {
    class Endless extends Map<unknown, unknown> {
      override *[Symbol.iterator](): MapIterator<[unknown, unknown]> {
        for (;;) yield [1, mail];
      }
      override *keys(): MapIterator<unknown> {
        yield 1;
      }
    }
    expect(redactor.value(new Endless([["a", mail]]))).toEqual(new Map([["a", gone]]));
  });

  it("copies what computes its value, so that it cannot change afterwards", () => {
    let times = 0;
    const value = {
      get late() {
        return times++ === 0 ? "clean" : mail;
      },
    };
    expect(JSON.stringify(redactor.value(value))).toBe('{"late":"clean"}');
  });

  it("looks into what has a JSON form", () => {
    expect(redactor.value({ url: new URL("https://x.com/?m=jane@x.com") })).toEqual({
      url: `https://x.com/?m=${gone}`,
    });
    const clean = { url: new URL("https://x.com/") };
    expect(redactor.value(clean)).toBe(clean);
  });

  it("goes 10,000 deep, and further", () => {
    for (const depth of [10_000, 100_000]) {
      let value: unknown = mail;
      for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
      let treated = redactor.value(value);
      for (let level = 0; level < depth; level++) treated = Object.values(treated as object)[0];
      expect(treated).toBe(gone);
    }
  });

  it("ends with a clear error on what makes itself as it is read", () => {
    const endless = (): object => ({
      get next() {
        return endless();
      },
    });
    expect(() => redactor.value(endless())).toThrow(expect.objectContaining({ code: "ERR_PII_DETECTION_FAILED" }));
  });

  it("throws only a PiiError, for any input", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withNullPrototype: true,
          withSparseArray: true,
          withTypedArray: true,
          withObjectString: true,
        }),
        (value) => {
          try {
            redactor.value(value);
          } catch (error) {
            expect(PiiError.is(error)).toBe(true);
          }
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});

describe("a sparse array", () => {
  it("keeps its length, and each value in its place, where it is not walked place by place", () => {
    const sparse: string[] = [];
    sparse[3] = "plain";
    sparse[70_000] = "mail jane@x.com";
    const treated = createRedactor({ email: "redact" }).value(sparse) as string[];
    expect(treated).toHaveLength(70_001);
    expect(Object.entries(treated)).toEqual([
      ["3", "plain"],
      ["70000", "mail [REDACTED_EMAIL]"],
    ]);
  });

  it("keeps them where it is", () => {
    const sparse: string[] = [];
    sparse[1] = "plain";
    sparse[3] = "mail jane@x.com";
    sparse.length = 6;
    const treated = createRedactor({ email: "redact" }).value(sparse) as string[];
    expect(treated).toHaveLength(6);
    expect(Object.entries(treated)).toEqual([
      ["1", "plain"],
      ["3", "mail [REDACTED_EMAIL]"],
    ]);
  });
});

describe("objects that hold values in themselves", () => {
  it("boxed strings and numbers", () => {
    const boxed = {
      s: Object(mail) as unknown,
      n: Object(4111111111111111) as unknown,
      b: Object(4111111111111111n) as unknown,
    };
    expect(redactor.value(boxed)).toEqual({ s: gone, n: "[REDACTED_CREDIT_CARD]", b: "[REDACTED_CREDIT_CARD]" });
    const clean = [Object("x"), Object(5)];
    expect(redactor.value(clean)).toBe(clean);
  });

  it("headers, queries and forms", () => {
    const headers = new Headers([
      ["from", mail],
      ["set-cookie", "a=1"],
      ["set-cookie", `b=${mail}`],
    ]);
    const treated = redactor.value({ headers }) as { headers: Headers };
    expect([...treated.headers]).toEqual([
      ["from", gone],
      ["set-cookie", "a=1"],
      ["set-cookie", `b=${gone}`],
    ]);
    const query = redactor.value(new URLSearchParams(`to=${mail}&to=2&${mail}=x`)) as URLSearchParams;
    expect([...query]).toEqual([
      ["to", gone],
      ["to", "2"],
      [gone, "x"],
    ]);
    const form = new FormData();
    form.append("to", mail);
    expect([...(redactor.value(form) as FormData)]).toEqual([["to", gone]]);
    const clean = { headers: new Headers({ a: "1" }), query: new URLSearchParams("a=1"), form: new FormData() };
    expect(redactor.value(clean)).toBe(clean);
  });

  it("treats headers whose name is a value, or that cannot contain a placeholder", () => {
    const own = createRedactor({ us_ssn: () => "[ü→]" });
    const treated = own.value(new Headers({ "536-90-4399": "1", x: "536-90-4399" })) as Headers;
    expect(JSON.stringify([...treated])).not.toContain("536-90");
    expect([...treated]).toHaveLength(2);
  });

  it("views of bytes, and arrays of wider numbers", () => {
    const bytes = new TextEncoder().encode(`to ${mail}`);
    const text = (view: ArrayBufferView): string => new TextDecoder().decode(view);
    const view = redactor.value(new DataView(bytes.buffer)) as DataView;
    expect(view).toBeInstanceOf(DataView);
    expect(text(view)).toBe(`to ${gone}`);
    for (const Kind of [Int8Array, Uint8ClampedArray, Uint8Array]) {
      expect(text(redactor.value(new Kind(bytes.buffer)) as Uint8Array)).toBe(`to ${gone}`);
    }
    const units = Uint16Array.from(mail, (letter) => letter.charCodeAt(0));
    expect(String.fromCharCode(...(redactor.value(units) as Uint16Array))).toBe(gone);
    for (const numbers of [Float64Array.of(1, 4111111111111111), BigInt64Array.of(1n, 4111111111111111n)]) {
      expect(Array.from(redactor.value(numbers) as ArrayLike<unknown>, String)).toEqual([
        "1",
        "[REDACTED_CREDIT_CARD]",
      ]);
    }
    const clean = [new DataView(new ArrayBuffer(4)), Float64Array.of(0.5), Uint16Array.of(7), Uint32Array.of(1, 2)];
    expect(redactor.value(clean)).toBe(clean);
  });

  it("properties of arrays that are no elements", () => {
    const match = /\w+@/.exec(`to ${mail}`);
    const treated = redactor.value(match) as RegExpExecArray;
    expect(treated.input).toBe(`to ${gone}`);
    expect([...treated]).toEqual(["jane@"]);
    expect(Array.isArray(treated)).toBe(true);
    const holes: unknown[] = [];
    holes[3] = mail;
    const expected: unknown[] = Object.assign([], { [gone]: 1 });
    expected[3] = gone;
    expect(redactor.value(Object.assign(holes, { [mail]: 1 }))).toEqual(expected);
  });
});

describe("methods that take strings", () => {
  it.each([42, null, undefined, { mail }, [mail], Symbol("x")])("refuses %p, and names value()", async (given) => {
    const text = given as unknown as string;
    const refused = expect.objectContaining({ code: "ERR_PII_NOT_TEXT", message: expect.stringContaining("value()") });
    for (const call of [
      () => redactor.redact(text),
      () => redactor.detect(text),
      () => detect(text),
      () => redactor.stream().push(text),
      () => redactor.restore(text),
      () => redactor.restoreStream().push(text),
      () => createRedactor({ email: "tokenize" }).restore(text),
      () => createRedactor({ email: "tokenize" }).restoreStream().push(text),
    ])
      expect(call).toThrow(refused);
    await expect(redactor.redactAsync(text)).rejects.toEqual(refused);
    await expect(redactor.detectAsync(text)).rejects.toEqual(refused);
  });
});
