/**
 * The packages that the checks run on, as the runtime, or the test, has loaded them.
 *
 * @typedef {{
 *   core: typeof import("@suite/core") & typeof import("@suite/core/adapter"),
 *   pii: typeof import("@suite/pii"),
 * }} Suite
 * @typedef {{ name: string, run: (suite: Suite) => void | Promise<void> }} Check
 * @typedef {{ passed: string[], failed: Record<string, string>, outputs: string }} Report
 */

/** @param {string} name what is promised @param {Check["run"]} run @returns {Check} */
export const check = (name, run) => ({ name, run });
