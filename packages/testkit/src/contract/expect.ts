import { sleep, within as withinTime } from "@suite/kit/time";
import { TestkitError } from "../errors.js";

/** The whole assertion library of the contract tests: plain functions, so that they run in any runtime and runner. */
export function expectThat(condition: unknown, message: string): asserts condition {
  if (!condition) throw new TestkitError("ERR_TESTKIT_EXPECTATION", message);
}

/** Structural equality of JSON-like values. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  expectThat(same(actual, expected), `${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Waits until a condition holds, and checks it every few milliseconds. */
export async function eventually(holds: () => boolean, message: () => string, milliseconds = 2000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!holds()) {
    expectThat(Date.now() < end, message());
    await sleep(5);
  }
}

/** Rejects if the promise takes longer than the limit. */
export const within = <T>(promise: PromiseLike<T>, what: string, milliseconds = 5000): Promise<T> =>
  withinTime(milliseconds, () => promise, {
    late: () => new TestkitError("ERR_TESTKIT_EXPECTATION", `${what} took longer than ${milliseconds} ms`),
  });

/** Keys that are undefined count as absent. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return JSON.stringify(value) ?? String(value);
}
