import { describe, expect, it } from "@jest/globals";
import { CodedError, CoreError } from "@suite/core";

const made = () =>
  class BudgetError extends CodedError<"ERR_SPENT"> {
    static override readonly brand = Symbol.for("test/budget");
    override readonly name = "BudgetError";
  };

describe("a package's error class", () => {
  const Mine = made();
  const OfAnotherCopy = made();

  it("has its name, its code, and the cause that it was given", () => {
    const cause = new Error("disk");
    const error = new Mine("ERR_SPENT", "Nothing is left.", { cause });
    expect([error.name, error.code, error.message, error.cause]).toEqual([
      "BudgetError",
      "ERR_SPENT",
      "Nothing is left.",
      cause,
    ]);
    expect(Object.keys(error).sort()).toEqual(["code", "name"]);
  });

  it("knows an error of another copy, which is no instance of it, and of no other class", () => {
    const error: unknown = new OfAnotherCopy("ERR_SPENT", "x");
    expect([error instanceof Mine, Mine.is(error), CoreError.is(error)]).toEqual([false, true, false]);
  });

  it("can be asked about anything that can be thrown", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [undefined, null, "text", 1, {}, proxy]) expect(Mine.is(thrown)).toBe(false);
  });
});
