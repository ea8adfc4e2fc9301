import { optionChecks } from "@suite/audit/internal";
import type { CheckOptions } from "@suite/kit/options";
import { AuditFollowersError } from "./errors.js";

const checks: ReturnType<typeof optionChecks> = optionChecks(
  (message) => new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", message),
);
/** @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION` */
export const checkOptions: CheckOptions = checks.checkOptions;
/** @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION` */
export const checkArgument: (typeof checks)["checkArgument"] = checks.checkArgument;
