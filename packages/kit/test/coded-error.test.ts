import { describe, expect, it } from "@jest/globals";
import { CodedError } from "@suite/core";
import { codedError } from "@suite/kit/errors";

const brand = "suite-test/budget-error";

describe("codedError", () => {
  it("creates errors with a name, a code, a cause and the class of the package", () => {
    class BudgetError extends codedError<"ERR_SPENT" | "ERR_OTHER">("BudgetError", brand) {}
    const error = new BudgetError("ERR_SPENT", "The budget is spent.", { cause: "a" });
    expect(error).toBeInstanceOf(BudgetError);
    expect(error).toBeInstanceOf(CodedError);
    expect(`${error}`).toBe("BudgetError: The budget is spent.");
    expect(error).toMatchObject({ code: "ERR_SPENT", cause: "a" });
    expect(error.constructor.name).toBe("BudgetError");
  });

  it("tells errors of another copy of the package from errors of other classes", () => {
    class BudgetError extends codedError<"ERR_SPENT">("BudgetError", brand) {
      readonly left = 0;
    }
    class Copy extends codedError<"ERR_SPENT">("BudgetError", brand) {}
    class Other extends codedError<"ERR_SPENT">("BudgetError", "suite-test/other") {}
    const thrown: unknown = new Copy("ERR_SPENT", "spent");
    expect(BudgetError.is(thrown) && thrown.left).toBeUndefined();
    expect(BudgetError.is(new BudgetError("ERR_SPENT", "spent"))).toBe(true);
    for (const each of [new Other("ERR_SPENT", "spent"), new Error("spent"), null, "spent"])
      expect(BudgetError.is(each)).toBe(false);
  });
});
