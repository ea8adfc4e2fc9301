import { PiiError } from "../errors.js";

/** Limits are whole numbers above 0. */
export function checkLimits(limits: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(limit) && limit > 0)) {
      throw new PiiError("ERR_PII_INVALID_RULE", `${name} of a vault must be an integer greater than 0.`);
    }
  }
}

/** The error of a full vault: it never drops a value that may still be needed, and refuses a new one. */
export const full = (limit: number, what: string, option: string): PiiError =>
  new PiiError(
    "ERR_PII_VAULT_FULL",
    `The vault contains ${limit} values of ${what} and is full. Erase ended sessions, or raise ${option}.`,
  );
