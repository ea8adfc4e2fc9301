import { describe, expect, it } from "@jest/globals";
import {
  amount,
  type Check,
  callable,
  common,
  count,
  either,
  flag,
  listOf,
  name,
  oneOf,
  optionsChecker,
  time,
} from "@suite/kit/options";

const check = optionsChecker((message) => new TypeError(message));

describe("a check of an option", () => {
  const odd = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5, "1", null, {}, [], true];
  it.each<[string, Check, readonly unknown[]]>([
    ["count", count, [1, 2 ** 53 - 1]],
    ["amount", amount, [0, 1.5]],
    ["time", time, [0.5, 1.5, 2 ** 31 - 1]],
    ["name", name, ["1"]],
    ["callable", callable, [() => {}]],
    ["flag", flag, [true, false]],
    ["oneOf", oneOf("a", "b"), ["a", "b"]],
    ["either", either(flag, count), [true, 1]],
    ["listOf", listOf(count), [[1], [1, 2]]],
  ])("%s takes what it says, and nothing else", (_, takes, good) => {
    for (const value of good) expect(takes(value)).toBeUndefined();
    const refused = odd.filter((value) => takes(value) !== undefined);
    expect(refused.length).toBeGreaterThanOrEqual(odd.length - 3);
    for (const value of [Number.NaN, null, {}, []]) expect(takes(value)).toEqual(expect.any(String));
  });
});

describe("options", () => {
  const of = (options: unknown) => () =>
    check("limit", options, { ...common, limit: count, on: oneOf("a", "b", "c") }, ["limit"]);

  it("that are valid, and those that are left out, pass", () => {
    expect(of({ limit: 1, on: undefined, mode: "monitor" })).not.toThrow();
  });

  it.each([
    [undefined, "limit() takes an object of options."],
    [{}, "The option limit of limit() must be an integer of at least 1."],
    [{ limit: Number.NaN }, "The option limit of limit() must be an integer of at least 1."],
    [{ limit: 1, on: "secret" }, 'The option on of limit() must be "a", "b" or "c".'],
    [{ limit: 1, toString: 1 }, 'limit() has the options name, mode, limit, on. Unknown option: "toString".'],
  ])("%j are refused, in words that name no value", (options, message) => {
    expect(of(options)).toThrow(new TypeError(message));
  });
});
