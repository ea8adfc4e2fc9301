import { AuditError } from "../errors.js";

/**
 * Checks the number of witnesses that must cosign.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION` if it is not from 1 to the number of witnesses
 */
export function checkPolicy(policy: number, witnesses: number): number {
  if (Number.isSafeInteger(policy) && policy >= 1 && policy <= witnesses) return policy;
  throw new AuditError(
    "ERR_AUDIT_INVALID_OPTION",
    `A policy of ${policy} of ${witnesses} witnesses is invalid. Use an integer from 1 to the number of witnesses.`,
  );
}
