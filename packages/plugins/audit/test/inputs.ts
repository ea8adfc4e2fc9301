import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { verify } from "../src/index.js";

/** The functions of a package, with valid arguments of each. */
export interface Inputs<Fixture extends { readonly dir: string }> {
  /** The exports of all entries. */
  readonly exported: Readonly<Record<string, unknown>>;
  /** Valid arguments of every exported function that takes input. */
  readonly functions: Readonly<Record<string, (given: Fixture) => readonly unknown[]>>;
  /** Creates a directory with a log, and the other arguments. */
  fixture(): Promise<Fixture>;
  /** Returns true for the errors of the package. */
  isExpected(error: unknown): boolean;
  /** Functions that accept any object. */
  readonly anyObject?: readonly string[];
  /** Functions that accept unknown options. */
  readonly anyOption?: readonly string[];
}

/** Calls a function and returns how it ended. Reads a generator to its end, and closes the returned object. */
async function outcomeOf(call: () => unknown, isExpected: (error: unknown) => boolean): Promise<string> {
  try {
    const value = await call();
    if (typeof value === "object" && value !== null && Symbol.asyncIterator in value) {
      for await (const _ of value as AsyncIterable<unknown>);
    }
    const { close } = (value ?? {}) as { close?: () => unknown };
    if (typeof close === "function") await close.call(value);
    return "returned";
  } catch (error) {
    return isExpected(error) ? "expected error" : String(error);
  }
}

/** Codes of the file system for a path that does not exist, or exists already. */
const fileSystem = /ENOENT|EEXIST/;

/** Values of every type. A string is a path in the folder of the test: some functions would write to it. */
const junkIn = (dir: string): readonly unknown[] => [
  join(dir, "other"),
  null,
  "",
  5,
  Number.NaN,
  true,
  [],
  [1],
  () => {},
  Symbol("s"),
  10n,
  new Date(0),
];

/** Returns true for an exported function that is not a class. */
const isFunction = (name: string, value: unknown): boolean => typeof value === "function" && !/^[A-Z]/.test(name);

const isOptions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  // An object with functions in place of options.
  !("deliver" in value);

/** Tests that each function of a package reports invalid arguments and options by an error of the package. */
export function testInputs<Fixture extends { readonly dir: string }>(inputs: Inputs<Fixture>): void {
  const { exported, functions, fixture, isExpected, anyObject = [], anyOption = [] } = inputs;
  const called = (name: string, args: readonly unknown[]) =>
    outcomeOf(() => (exported[name] as (...args: unknown[]) => unknown)(...args), isExpected);

  it("is covered here for every exported function", () => {
    const names = Object.entries(exported).flatMap(([name, value]) => (isFunction(name, value) ? [name] : []));
    expect(Object.keys(functions).sort()).toEqual(names.sort());
  });

  it.each(Object.keys(functions))(
    "%s reports invalid arguments and options by an error of the package, never a raw error",
    async (name) => {
      const given = await fixture();
      const valid = functions[name]?.(given) ?? [];
      const wrong: Record<string, string> = {};
      const refuse = async (label: string, args: readonly unknown[]): Promise<void> => {
        const outcome = await called(name, args);
        if (outcome !== "expected error" && outcome !== "returned" && !fileSystem.test(outcome)) wrong[label] = outcome;
      };
      for (const [at, argument] of valid.entries()) {
        for (const value of junkIn(given.dir)) await refuse(`argument ${at}: ${String(value)}`, valid.with(at, value));
        if (!isOptions(argument) || anyObject.includes(name)) continue;
        for (const option of Object.keys(argument)) {
          for (const value of junkIn(given.dir))
            await refuse(`${option}: ${String(value)}`, valid.with(at, { ...argument, [option]: value }));
        }
      }
      expect(wrong).toEqual({});
      expect(await verify(given.dir)).toMatchObject({ ok: true });
    },
    60_000,
  );

  it.each(Object.keys(functions).filter((name) => ![...anyObject, ...anyOption].includes(name)))(
    "%s refuses an option that does not exist, and changes nothing",
    async (name) => {
      const given = await fixture();
      const valid = functions[name]?.(given) ?? [];
      const before = await readdir(given.dir);
      for (const [at, argument] of valid.entries()) {
        if (!isOptions(argument)) continue;
        const args = valid.with(at, { ...argument, optoin: 1 });
        expect([at, await called(name, args)]).toEqual([at, "expected error"]);
      }
      expect(await readdir(given.dir)).toEqual(before);
    },
    60_000,
  );
}
