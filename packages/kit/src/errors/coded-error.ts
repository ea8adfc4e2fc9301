import { CodedError } from "@suite/core";

/** A class of errors with codes, to be extended by the error class of a package. */
export interface CodedErrorClass<Code extends string> {
  new (code: Code, message: string, options?: ErrorOptions): CodedError<Code>;
  readonly prototype: CodedError<Code>;
  /** A registered symbol: the same in every copy of the package. */
  readonly brand: symbol;
  /** True if an error is of this class, even from another copy of the package, unlike `instanceof`. */
  is<E>(this: { readonly brand: symbol; readonly prototype: E }, error: unknown): error is E;
}

/**
 * Creates the base of a package's error class.
 *
 * @param name the name of the class, on each of its errors.
 * @param brand the key of the registered symbol that `is` uses to find errors of the class.
 * @example
 * ```ts
 * export class BudgetError extends codedError<"ERR_BUDGET_SPENT">("BudgetError", "budget/error") {}
 * ```
 */
export function codedError<Code extends string>(name: string, brand: string): CodedErrorClass<Code> {
  return class extends CodedError<Code> {
    static override readonly brand = Symbol.for(brand);
    override readonly name = name;
  };
}
