import { same, thrown } from "./assert.mjs";
import { check } from "./check.mjs";
import { cut, cuts, seeded, units } from "./random.mjs";

/** @typedef {import("@suite/core").Delta} Delta @typedef {import("@suite/core").Reply} Reply */

const mail = "jane.doe@example.com";
const gone = "[REDACTED_EMAIL]";
const rules = /** @type {const} */ ({ email: "redact", credit_card: "mask" });

/**
 * One streamed model call with the plugin.
 *
 * @param {import("./check.mjs").Suite} suite
 * @param {readonly Delta[]} stream
 */
async function answered({ core, pii }, stream) {
  const stack = new core.PluginStack([pii.pii(rules, { apply: { output: true, toolArguments: true } })]);
  const run = stack.begin();
  /** @type {unknown} */
  let seen;
  const request = { model: "m", messages: [core.message("user", `ask ${mail}`)], tools: [] };
  const outcome = await stack.call("model", run, request, async (invocation) => {
    seen = invocation.request.messages;
    invocation.respond({ stream: upstream(stream) });
  });
  const { message } = await outcome.final();
  await run.end();
  return { seen, parts: message.parts };
}

/** @param {readonly Delta[]} chunks */
async function* upstream(chunks) {
  yield* chunks;
}

/** Every unit as JSON may write it. @param {string} text */
const escaped = (text) =>
  units(text)
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

export const agent = [
  check("the plugin treats what the model is asked, and its streamed text", async (suite) => {
    const text = `😀 write to ${mail}, or pay with 4111 1111 1111 1111 now`;
    const stream = units(text).map(
      (content) => /** @type {Delta} */ ({ type: "part", at: "0", part: { type: "text", content } }),
    );
    const { seen, parts } = await answered(suite, [...stream, { type: "finish", finishReason: "stop" }]);
    same(seen, [suite.core.message("user", `ask ${gone}`)], "the request");
    const treated = `😀 write to ${gone}, or pay with ****-****-****-1111 now`;
    same(parts, [{ type: "text", content: treated }], "the answer");
  }),

  check("JSON of tool arguments stays JSON, and is what value gives, however it is cut", async (suite) => {
    const value = {
      to: [mail, `"${mail}"\n😀`],
      [mail]: { card: 4111111111111111, n: 12, ok: true, no: null, note: "plain" },
    };
    const treated = suite.pii.createRedactor(rules).value(value);
    for (const json of [
      JSON.stringify(value),
      JSON.stringify(value, undefined, 2),
      JSON.stringify(value).replaceAll(/plain|jane.doe@example.com/g, escaped),
    ]) {
      for (let seed = 1; seed <= 20; seed++) {
        const pieces = seed === 1 ? units(json) : cut(json, cuts(json, seeded(seed)));
        const { parts } = await answered(suite, [
          { type: "part", at: "0", part: suite.core.toolCall("1", "send", undefined) },
          ...pieces.map((piece) => /** @type {Delta} */ ({ type: "arguments", at: "0", json: piece })),
          { type: "finish", finishReason: "tool_call" },
        ]);
        same(parts, [suite.core.toolCall("1", "send", treated)], `seed ${seed}`);
      }
    }
  }),

  check("the plugin gives telemetry a redactor, which blocks nothing", ({ pii }) => {
    const { redactor } = pii.pii({ email: "block" });
    same(redactor.redact(`to ${mail}`), `to ${gone}`, "what it gives");
    thrown(
      "ERR_PII_INVALID_RULE",
      () => pii.pii({ email: "block" }, { apply: /** @type {any} */ ({ inptu: true }) }),
      "a place",
    );
  }),
];
