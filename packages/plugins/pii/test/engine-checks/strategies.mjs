import { ok, same, thrown } from "./assert.mjs";
import { check } from "./check.mjs";
import { samples, sentence } from "./samples.mjs";

const hashKey = { id: "k1", key: "0123456789abcdef" };
const mail = "jane.doe@example.com";

const ofEachType = samples.map((sample) =>
  check(`each strategy takes ${sample.type} out, and leaves nothing to find`, ({ pii }) => {
    const { type, values, hidden } = sample;
    for (const value of [...values, ...hidden]) {
      const { text, before } = sentence(sample, value);
      for (const strategy of /** @type {const} */ (["redact", "mask", "hash", "tokenize"])) {
        const redactor = pii.createRedactor({ [type]: strategy }, { hashKey });
        const treated = redactor.redact(text);
        ok(treated.startsWith(before) && treated.endsWith(" and so on"), `${strategy} leaves the rest`);
        ok(!treated.includes(value), `${strategy} takes the value out`);
        same(pii.detect(treated, { types: [type] }), [], `what is found after ${strategy}`);
        same(redactor.restore(treated), strategy === "tokenize" ? text : treated, `restore after ${strategy}`);
      }
      /** @type {unknown[]} */
      const findings = [];
      const own = pii.createRedactor({ [type]: ({ score, ...finding }) => `<${findings.push(finding)}>` });
      same(own.redact(text), `${before}<1> and so on`, "a function's result");
      const end = before.length + value.length;
      same(findings, [{ type, start: before.length, end, value }], "what a function is given");
      const error = thrown("ERR_PII_BLOCKED", () => pii.createRedactor({ [type]: "block" }).redact(text), "block");
      same(error.types, [type], "the types of the error");
      ok(!`${error} ${error.stack}`.includes(value), "the error holds no value");
    }
  }),
);

export const strategies = [
  ...ofEachType,

  check("redact, mask and hash give what the documentation shows", ({ pii }) => {
    const treated = pii
      .createRedactor({ email: "hash", credit_card: "mask", ip: "redact" }, { hashKey })
      .redact(`${mail}, 4111 1111 1111 1111, 10.0.0.1`);
    same(treated, "<email_hash:81dc818c5e027d80>, ****-****-****-1111, [REDACTED_IP]", "all three");
  }),

  check("hash without a key has one of the process", ({ pii }) => {
    const first = pii.createRedactor({ email: "hash" }).redact(mail);
    ok(/^<email_hash:[0-9a-f]{16}>$/.test(first), "the form");
    same(pii.createRedactor({ email: "hash" }).redact(mail), first, "a second redactor");
    ok(!first.includes("81dc818c5e027d80"), "it is another key");
  }),

  check("tokens are the same for the same value, and are put back, also in pieces", ({ pii }) => {
    const redactor = pii.createRedactor({ email: "tokenize", ip: "redact" });
    const treated = redactor.redact(`${mail} bob@y.org ${mail} 10.0.0.1`);
    const form = /^<EMAIL_1_(\w{8})> <EMAIL_2_\1> <EMAIL_1_\1> \[REDACTED_IP\]$/;
    ok(form.test(treated), `the form of ${treated}`);
    const restored = `${mail} bob@y.org ${mail} [REDACTED_IP]`;
    same(redactor.restore(treated), restored, "the text");
    for (let at = 0; at <= treated.length; at++) {
      const stream = redactor.restoreStream();
      const joined = stream.push(treated.slice(0, at)) + stream.push(treated.slice(at)) + stream.end();
      same(joined, restored, `the text cut at ${at}`);
    }
  }),

  check("rules and keys that cannot be used are refused", ({ pii }) => {
    const refuse = (/** @type {any} */ rules, /** @type {any} */ options) =>
      thrown("ERR_PII_INVALID_RULE", () => pii.createRedactor(rules, options), JSON.stringify([rules, options]));
    refuse({}, {});
    refuse([], {});
    refuse({ shoe_size: "redact" }, {});
    refuse({ email: "encrypt" }, {});
    refuse({ mac: "redact", mac_address: "redact" }, {});
    refuse({ email: "hash" }, { hashKey: "short" });
  }),
];
