import { branded } from "./brand.js";

/**
 * The base of each package's error class: a code of a closed set, and a test that holds across duplicated
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
  /** A symbol of the registry: the same in every copy of the package. */
  declare static readonly brand: symbol;
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, new.target.brand, { value: true });
  }

  /** Whether an error is of this class, also where `instanceof` fails: for one of another copy of the package. */
  static is<E>(this: { readonly brand: symbol; readonly prototype: E }, error: unknown): error is E {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked is the package's, not this one
    return branded(error, this.brand);
  }
}
