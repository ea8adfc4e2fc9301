import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Whether a program is on the PATH that tests need. Where it is not, one line says which tests are skipped; on CI none is.
 *
 * @param {string} program
 * @param {string} tests the tests, in the plural: "the tests of shells"
 * @returns {boolean}
 * @throws {Error} on CI, where it is not there
 */
export function isThere(program, tests) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, program)))) return true;
  const lacks = `There is no ${program} on this machine: ${tests}`;
  if (process.env.CI) throw new Error(`${lacks} cannot run.`);
  console.error(`${lacks} are skipped.`);
  return false;
}
