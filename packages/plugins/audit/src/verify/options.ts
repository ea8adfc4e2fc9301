import { callable, count, either, flag } from "@suite/core/options";
import { checkOptions, list, type OptionChecks, object, string } from "../options.js";
import type { VerifyProgress } from "./progress.js";
import type { WitnessPolicy } from "./witnessed.js";

/** The options of `verify`. */
export interface VerifyOptions {
  /**
   * Public keys as text, one a line, from elsewhere than the log's directory; behind each its period, if it has one (README,
   * "Keys"). Without it, the key there is taken.
   */
  readonly key?: string;
  /** Checkpoints that were kept elsewhere: each a signed note. */
  readonly anchor?: string | readonly string[];
  /**
   * Verifies the signature of every checkpoint. Without it, only those that no later one of the file covers by its hash: in
   * files of this version the last. See README, "What is verified".
   */
  readonly everySignature?: boolean;
  /** Witnesses, of whom so many must have cosigned: what they have seen is held as by an anchor. */
  readonly witnesses?: WitnessPolicy;
  /** Called after each piece of a file, about 1 MiB, with how far it is. */
  readonly onProgress?: (progress: VerifyProgress) => void;
}

const checks: OptionChecks<VerifyOptions> = {
  key: string,
  anchor: either(string, list(string)),
  everySignature: flag,
  witnesses: object,
  onProgress: callable,
};
const policyChecks: OptionChecks<WitnessPolicy> = { keys: string, policy: count };

/**
 * Checks the options of a verification: with a misspelled `anchor`, the verdict would hold less than the caller believes.
 *
 * @param of the function that takes them
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export function checkVerifyOptions(of: string, options: VerifyOptions): VerifyOptions {
  const checked = checkOptions(of, options, checks);
  if (checked.witnesses !== undefined) checkOptions(`witnesses of ${of}`, checked.witnesses, policyChecks, ["keys"]);
  return checked;
}
