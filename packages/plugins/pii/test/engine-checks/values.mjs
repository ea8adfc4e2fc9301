import { ok, same } from "./assert.mjs";
import { check } from "./check.mjs";

const mail = "jane@x.com";
const gone = "[REDACTED_EMAIL]";

/** @param {import("./check.mjs").Suite} suite */
const redactorOf = ({ pii }) => pii.createRedactor({ email: "redact", credit_card: "redact" });

export const values = [
  check("value treats strings, keys and card numbers, in arrays, objects, Map and Set", (suite) => {
    const value = { a: [mail, { [mail]: 1 }], n: [4111111111111111, 4111111111111111n, 0.5, 1700000000000, null] };
    const treated = redactorOf(suite).value({ ...value, m: new Map([[mail, [mail]]]), s: new Set([mail]) });
    const card = "[REDACTED_CREDIT_CARD]";
    const expected = { a: [gone, { [gone]: 1 }], n: [card, card, 0.5, 1700000000000, null] };
    same(treated, { ...expected, m: new Map([[gone, [gone]]]), s: new Set([gone]) }, "the treated value");
  }),

  check("value gives back itself what holds nothing to change, and changes nothing in place", (suite) => {
    const clean = { a: [1, "x", undefined, true], d: new Date(0), b: new Uint8Array(3) };
    ok(redactorOf(suite).value(clean) === clean, "the same object");
    const mixed = Object.freeze({ clean, mail });
    const treated = /** @type {{ clean: unknown }} */ (redactorOf(suite).value(mixed));
    ok(treated.clean === clean, "what is clean stays");
    same(
      [treated, mixed],
      [
        { clean, mail: gone },
        { clean, mail },
      ],
      "the copy, and what was given",
    );
  }),

  check("value keeps cycles and sharing, and takes __proto__ for a name", (suite) => {
    const shared = { mail };
    /** @type {Record<string, unknown>} */
    const value = { one: shared, two: shared };
    value.self = value;
    const treated = /** @type {typeof value} */ (redactorOf(suite).value(value));
    ok(treated.self === treated && treated.one === treated.two, "the same shape");
    const named = redactorOf(suite).value(JSON.parse(`{"__proto__":{"polluted":"${mail}"}}`));
    same(JSON.stringify(named), `{"__proto__":{"polluted":"${gone}"}}`, "__proto__");
    ok(!("polluted" in {}), "nothing is polluted");
  }),

  check("value treats an error's message, stack, cause and fields, and keeps its class", (suite) => {
    const error = Object.assign(new TypeError(`no ${mail}`, { cause: new Error(mail) }), { to: mail });
    const treated = /** @type {typeof error & { cause: Error }} */ (redactorOf(suite).value(error));
    ok(treated instanceof TypeError, "the class");
    same([treated.message, treated.cause.message, treated.to], [`no ${gone}`, gone, gone], "what it holds");
    ok(!`${treated} ${treated.stack} ${treated.cause.stack}`.includes(mail), "the stack holds no value");
  }),

  check("value goes 10,000 deep, and survives getters and proxies that throw", (suite) => {
    /** @type {unknown} */
    let value = mail;
    for (let level = 0; level < 10_000; level++) value = level % 2 ? [value] : { value };
    let treated = redactorOf(suite).value(value);
    for (let level = 0; level < 10_000; level++) treated = Object.values(/** @type {object} */ (treated))[0];
    same(treated, gone, "the innermost");
    const refuse = () => {
      throw new Error(mail);
    };
    const broken = Object.defineProperty({ proxy: new Proxy({}, { ownKeys: refuse }) }, "getter", {
      get: refuse,
      enumerable: true,
    });
    same(redactorOf(suite).value(broken), { proxy: "[UNREADABLE]", getter: "[UNREADABLE]" }, "what cannot be read");
  }),
];
