// What the engine promises, once for all runtimes: plain JavaScript with no test framework and nothing of Node. In
// Node 20 they run within Jest (slow/portable.test.ts), elsewhere by `npm run test:runtimes`.
import { agent } from "./agent.mjs";
import { detection } from "./detection.mjs";
import { linear } from "./linear.mjs";
import { patterns } from "./patterns.mjs";
import { seeded } from "./random.mjs";
import { strategies } from "./strategies.mjs";
import { streams } from "./streams.mjs";
import { mixedRules, mixedText } from "./texts.mjs";
import { values } from "./values.mjs";

/** @typedef {import("./check.mjs").Suite} Suite */

/** @type {readonly import("./check.mjs").Check[]} */
export const engineChecks = [...detection, ...strategies, ...streams, ...values, ...patterns, ...agent, ...linear];

/** Runs all checks, also after one has failed. @param {Suite} suite @returns {Promise<import("./check.mjs").Report>} */
export async function runChecks(suite) {
  /** @type {import("./check.mjs").Report} */
  const report = { passed: [], failed: {}, outputs: outputs(suite) };
  for (const { name, run } of engineChecks) {
    try {
      await run(suite);
      report.passed.push(name);
    } catch (error) {
      report.failed[name] = String(error);
    }
  }
  return report;
}

/** A fingerprint (FNV-1a) of what the engine makes of random texts, to compare runtimes by. @param {Pick<Suite, "pii">} suite */
export function outputs({ pii }) {
  const redactor = pii.createRedactor(mixedRules, { hashKey: "0123456789abcdef" });
  let fingerprint = 0x811c9dc5;
  for (let seed = 1000; seed < 1200; seed++) {
    const text = redactor.redact(mixedText(seeded(seed)));
    for (let at = 0; at < text.length; at++) {
      fingerprint = Math.imul(fingerprint ^ text.charCodeAt(at), 0x01000193) >>> 0;
    }
  }
  return fingerprint.toString(16);
}
