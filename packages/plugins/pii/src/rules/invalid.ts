import { PiiError } from "../errors.js";

/** Creates the error for an invalid rule. */
export const invalidRule = (type: string, what: string): PiiError =>
  new PiiError("ERR_PII_INVALID_RULE", `The rule for "${type}" cannot be used: ${what}`);
