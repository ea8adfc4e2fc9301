import { describe, expect, it } from "@jest/globals";
import { createRedactor, PiiError } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const mail = "jane@x.com";
const thrower = (): never => {
  throw new Error(mail);
};
/** A fresh one each time: these change, or throw, while they are read. */
const hostile: readonly Make[] = [
  () => Object.defineProperty({}, "a", { enumerable: true, get: thrower }),
  () => Object.defineProperty([mail], 0, { enumerable: true, get: thrower }),
  () => ({ toJSON: thrower, mail }),
  () => ({ toJSON: () => ({ mail }), toString: thrower }),
  () => ({ [Symbol.toPrimitive]: thrower, [Symbol.toStringTag]: mail, [Symbol(mail)]: mail }),
  () => Object.defineProperty({}, Symbol.toStringTag, { get: thrower }),
  () => Object.defineProperty({}, "constructor", { get: thrower }),
  ...(["get", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf", "has"] as const).map(
    (trap) => () => new Proxy({ mail }, { [trap]: thrower }),
  ),
  () => new Proxy([mail], { get: thrower }),
  () => new Proxy(new Map([[mail, mail]]), {}),
  () => {
    const { proxy, revoke } = Proxy.revocable({ mail }, {});
    revoke();
    return proxy;
  },
  () => Object.assign(new Map([[mail, new Set([mail])]]), { [Symbol.iterator]: thrower }),
  () => Object.defineProperty(new Error(mail), "stack", { get: thrower }),
  () => Object.assign(new Error("x", { cause: new AggregateError([new Error(mail)], mail) }), { code: thrower }),
  () => {
    const error: Error = new Error(mail);
    error.cause = error;
    return error;
  },
  () => {
    const cycle: unknown[] = [mail];
    cycle.push(cycle, new Map([[cycle, cycle]]), { [mail]: cycle });
    return cycle;
  },
  () => Object.freeze({ mail: Object.freeze([mail]) }),
  () => JSON.parse(`{"__proto__":{"a":"${mail}"},"constructor":"${mail}"}`),
  () => Object.assign(Object.create({ inherited: mail }), { mail }),
  () =>
    new (class Own {
      #mail = mail;
      get shown() {
        return this.#mail;
      }
    })(),
  () => new WeakMap(),
  () => new Date(Number.NaN),
  () => /jane@x\.com/,
  () => new URL(`https://a.de/?m=${mail}`),
  () => new TextEncoder().encode(mail),
  () => new DataView(new ArrayBuffer(4)),
  () => new SharedArrayBuffer(4),
  () => Promise.resolve(mail),
  () => thrower,
  () => Symbol(mail),
  () => Object.assign(Object.create(null), { mail }),
  () => Object(mail),
  () => Object(4111111111111111n),
  () => Array.from({ length: 3 }, (_, index) => (index === 1 ? mail : undefined)),
  () => Object.assign(new Array(100_000), { 99999: mail }),
  () => 4111111111111111,
  () => "\ud83d".repeat(3) + mail,
];
type Make = () => unknown;
const made = (makers: readonly Make[]): unknown[] => makers.map((make) => make());
const everything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});
const texts = fc.constantFrom<unknown>(mail, "4111 1111 1111 1111", "", "own x\u200by");
const keys = fc.oneof(fc.string(), fc.constantFrom(mail, "__proto__", "toJSON", "cause"));
/** Makers, since the generator looks at what it generates. */
const { value } = fc.letrec<{ value: Make }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...hostile),
    fc.oneof(everything, texts).map((plain) => () => plain),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => () => made(items)),
    fc
      .array(fc.tuple(keys, tie("value")), { maxLength: 4 })
      .map((entries) => () => Object.fromEntries(entries.map(([key, make]) => [key, make()]))),
    fc
      .array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 })
      .map((entries) => () => new Map(entries.map(([key, make]) => [key(), make()]))),
    fc.array(tie("value"), { maxLength: 3 }).map((members) => () => new Set(made(members))),
    tie("value").map((cause) => () => new Error(mail, { cause: cause() })),
  ),
}));

const rules = {
  email: "redact",
  credit_card: "mask",
  phone: "redact",
  secret: "redact",
  own: { recognizer: (text: string) => (text.startsWith("own") ? [{ start: 0, end: 3 }] : []), strategy: "redact" },
} as const;

describe("value() of anything at all", () => {
  it("throws only a PiiError without the value", () => {
    const redactor = createRedactor(rules);
    const blocking = createRedactor({ email: "block" });
    fc.assert(
      fc.property(value, (make) => {
        const given = make();
        for (const subject of [redactor, blocking]) expectOurs(() => subject.value(given));
      }),
      { numRuns: runs(500) },
    );
  });

  it("nor does valueAsync()", async () => {
    const recognizer = async (text: string) => (text.length > 2 ? [{ start: 1, end: 2 }] : []);
    const redactor = createRedactor({ ...rules, later: { recognizer, strategy: "redact" } });
    await fc.assert(
      fc.asyncProperty(value, async (make) => {
        const error = await redactor.valueAsync(make()).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expectOurs(() => {
          if (error !== undefined) throw error;
        });
      }),
      { numRuns: runs(100) },
    );
  });

  it("refuses a promise, whose result would not be treated", async () => {
    const redactor = createRedactor(rules);
    class Later extends Promise<string> {}
    for (const thenable of [Promise.resolve(mail), Later.resolve(mail)]) {
      await expect(redactor.valueAsync(thenable)).rejects.toMatchObject({ code: "ERR_PII_DETECTION_FAILED" });
    }
  });

  it.each(hostile.map((make, index) => [index, make] as const))("gives out no address as it was: %d", (_, make) => {
    const given = make();
    const treated = createRedactor(rules).value([given]);
    const shown: unknown[] = [];
    const seen = new Set<unknown>();
    const look = (one: unknown): void => {
      if (typeof one === "string") shown.push(one);
      if (typeof one !== "object" || one === null || seen.has(one) || ArrayBuffer.isView(one)) return;
      seen.add(one);
      if (one instanceof Map || one instanceof Set) for (const member of one) look(member);
      for (const key of Object.keys(one)) {
        look(key);
        look((one as Record<string, unknown>)[key]);
      }
    };
    look(treated);
    expect(shown.join()).not.toContain(mail);
  });
});

function expectOurs(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!PiiError.is(error)) throw error;
    expect(error.message).not.toContain("jane");
  }
}
