import { isObject, isRecord } from "@suite/kit";
import { compiled } from "../patterns/engine.js";
import type { ArgumentCondition } from "./policy.js";

/** Tests a value. Returns `undefined` if the condition applies to values of another type. */
type Test = (value: unknown) => boolean | undefined;

/** The conditions of one rule, compiled. */
export interface Conditions {
  /**
   * Returns true if an `allow` rule may pass a call with these arguments: all of them exist and every condition holds.
   */
  allow(input: unknown): boolean;
  /** Returns true if a `deny` rule must refuse a call: every condition holds or cannot be decided. */
  deny(input: unknown): boolean;
}

/** One step of a path: a key, and a flag that selects each entry of the list under it. */
interface Step {
  readonly key: string;
  readonly each: boolean;
}

/** Compiles the conditions of a rule. Returns `undefined` if it has none. */
export function conditionsOf(
  conditions: Readonly<Record<string, ArgumentCondition>> | undefined,
): Conditions | undefined {
  if (conditions === undefined) return undefined;
  const all = Object.entries(conditions).map(([path, condition]) => ({
    steps: stepsOf(path),
    allows: testOf(condition, wholly),
    denies: testOf(condition, anywhere),
    optional: condition.optional === true,
  }));
  return {
    allow: (input) =>
      all.every(({ steps, allows, optional }) => {
        const found = read(input, steps);
        if (found === undefined || found.mistyped || (found.missing && !optional)) return false;
        return found.values.every((value) => allows(value) === true);
      }),
    deny: (input) =>
      all.every(({ steps, denies }) => {
        const found = read(input, steps);
        return found === undefined || found.mistyped || found.values.some((value) => denies(value) !== false);
      }),
  };
}

const stepsOf = (path: string): readonly Step[] =>
  path
    .split(".")
    .map((step) => (step.endsWith("[]") ? { key: step.slice(0, -2), each: true } : { key: step, each: false }));

interface Found {
  readonly values: readonly unknown[];
  /** True if a step of the path did not exist. */
  readonly missing: boolean;
  /** True if something on the way is not an object, such as JSON as a string: the tool may read the value out of it. */
  readonly mistyped: boolean;
}

/** Returns the values at a path of a call's arguments, or `undefined` if they cannot be read. */
function read(input: unknown, steps: readonly Step[]): Found | undefined {
  if (!isObject(input) || Array.isArray(input)) return undefined; // such as a string that is not JSON
  try {
    let values: readonly unknown[] = [input];
    let [missing, mistyped] = [false, false];
    for (const { key, each } of steps) {
      const next: unknown[] = [];
      for (const value of values) {
        const inner = key === "" ? value : isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
        if (inner === undefined) {
          if (isNothing(value) || isRecord(value)) missing = true;
          else mistyped = true;
        } else if (!each || !Array.isArray(inner)) next.push(inner);
        else for (const entry of inner) next.push(entry);
      }
      values = next;
    }
    return { values, missing, mistyped };
  } catch {
    return undefined; // a getter, or a proxy, that throws
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** Compiles one condition. @param matches compiles its expression. */
function testOf(condition: ArgumentCondition, matches: (pattern: string) => (text: string) => boolean): Test {
  const tests: Test[] = [];
  const { minimum, maximum, minLength, maxLength, startsWith, endsWith, pattern } = condition;
  if (condition.const !== undefined) tests.push(oneOfValues([condition.const]));
  if (condition.enum !== undefined) tests.push(oneOfValues(condition.enum));
  if (minimum !== undefined) tests.push(ofNumber((value) => value >= minimum));
  if (maximum !== undefined) tests.push(ofNumber((value) => value <= maximum));
  if (minLength !== undefined) tests.push(ofLength((length) => length >= minLength));
  if (maxLength !== undefined) tests.push(ofLength((length) => length <= maxLength));
  if (startsWith !== undefined) tests.push(ofText((text) => text.startsWith(startsWith)));
  if (endsWith !== undefined) tests.push(ofText((text) => text.endsWith(endsWith)));
  if (pattern !== undefined) tests.push(ofText(matches(pattern)));
  return (value) => {
    let holds: boolean | undefined = true;
    for (const test of tests) {
      const one = test(value);
      if (one === false) return false;
      if (one === undefined) holds = undefined;
    }
    return holds;
  };
}

/** Returns a function that tests if an expression matches any part of a string, which is enough to refuse a call. */
function anywhere(pattern: string): (text: string) => boolean {
  const expression = compiled(pattern);
  return (text) => expression.find(text, 0) !== undefined;
}

/**
 * Returns a function that tests if an expression, anchored or not, matches the whole string. A partial match does not
 * allow a call.
 */
const wholly = (pattern: string): ((text: string) => boolean) => anywhere(`^(?:${pattern})$`);

/**
 * Tests if a value is one of some values. Returns `undefined` for a value of another type, since a tool might treat 1
 * and "1" as equal.
 */
function oneOfValues(values: readonly unknown[]): Test {
  const known = new Set(values);
  const types = new Set(values.map((value) => typeof value));
  return (value) => known.has(value) || (types.has(typeof value) && value !== null ? false : undefined);
}

const ofNumber =
  (holds: (value: number) => boolean): Test =>
  (value) =>
    typeof value === "number" && !Number.isNaN(value) ? holds(value) : undefined;

const ofText =
  (holds: (text: string) => boolean): Test =>
  (value) =>
    typeof value === "string" ? holds(value) : undefined;

const ofLength =
  (holds: (length: number) => boolean): Test =>
  (value) =>
    typeof value === "string" || Array.isArray(value) ? holds(value.length) : undefined;
