import { PiiError } from "../errors.js";

/** The error of a rule that cannot be used. */
export const invalidRule = (type: string, what: string): PiiError =>
  new PiiError("ERR_PII_INVALID_RULE", `The rule for "${type}" cannot be used: ${what}`);
