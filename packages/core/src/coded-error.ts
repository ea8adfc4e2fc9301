import { branded } from "./brand.js";

/**
 * Base of each package's error class: it has a code from a closed set, and a type test that works across duplicate
 * copies of the package.
 *
 * @example
 * ```ts
 * class BudgetError extends CodedError<"ERR_BUDGET_SPENT"> {
 *   static override readonly brand = Symbol.for("budget/error");
 *   override readonly name = "BudgetError";
 * }
 * ```
 */
export abstract class CodedError<Code extends string> extends Error {
  /** A registered symbol: the same in every copy of the package. */
  declare static readonly brand: symbol;
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, new.target.brand, { value: true });
  }

  /** True if an error is of this class, even from another copy of the package, unlike `instanceof`. */
  static is<E>(this: { readonly brand: symbol; readonly prototype: E }, error: unknown): error is E {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the package's class and not this base class
    return branded(error, this.brand);
  }
}
