import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The paths of programs that are on the PATH, or in further folders: those of the first name first.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} [further]
 */
export function onPath(names, further = []) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...further];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter((path) => existsSync(path));
}

/** The path of Chromium, under whichever of its names it is here; undefined where there is none. */
export const chromiumPath = () => onPath(["chromium", "chromium-browser", "google-chrome"])[0];

/**
 * Whether a program is on the PATH that tests need. Where it is not, they are skipped, see `skip`.
 *
 * @param {string} program
 * @param {string} tests the tests, in the plural: "the tests of shells"
 * @returns {boolean}
 */
export function isThere(program, tests) {
  if (onPath([program]).length > 0) return true;
  skip(program, tests);
  return false;
}

/**
 * Says in one line which tests are skipped, for lack of what; on CI none is.
 *
 * @param {string} lacks the thing that is not there: "redis-server"
 * @param {string} tests the tests, in the plural
 * @throws {Error} on CI
 */
export function skip(lacks, tests) {
  const why = `There is no ${lacks} on this machine: ${tests}`;
  if (process.env.CI) throw new Error(`${why} cannot run.`);
  console.error(`${why} are skipped.`);
}
