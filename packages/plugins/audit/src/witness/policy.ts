import { AuditError } from "../errors.js";

/** The number of witnesses that must cosign, of so many. @throws AuditError `ERR_AUDIT_INVALID_OPTION` for a policy that nobody, or everybody, could fulfil */
export function checkPolicy(policy: number, witnesses: number): number {
  if (Number.isSafeInteger(policy) && policy >= 1 && policy <= witnesses) return policy;
  throw new AuditError(
    "ERR_AUDIT_INVALID_OPTION",
    `A policy of ${policy} of ${witnesses} witnesses cannot be: give a whole number from 1 to as many as there are.`,
  );
}
