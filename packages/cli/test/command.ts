import { afterEach, beforeEach, jest } from "@jest/globals";
import { folderWith } from "./support.js";

/** The lines that the command printed in this test. */
export const printed: string[] = [];

const print = (...values: unknown[]): void => void printed.push(values.join(" "));
const before = process.cwd();
beforeEach(() => {
  jest.spyOn(console, "log").mockImplementation(print);
  jest.spyOn(console, "error").mockImplementation(print);
});
afterEach(() => {
  process.chdir(before);
  jest.restoreAllMocks();
  printed.length = 0;
});

/** Goes, for this test, into a folder with these files. */
export function within(files: Readonly<Record<string, unknown>>): string {
  const folder = folderWith(files);
  process.chdir(folder);
  return folder;
}
