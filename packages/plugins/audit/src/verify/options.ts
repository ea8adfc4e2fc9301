import { callable, count, either, flag } from "@suite/kit/options";
import { checkOptions, list, type OptionChecks, object, string } from "../options.js";
import type { VerifyProgress } from "./progress.js";
import type { WitnessPolicy } from "./witnessed.js";

/** The options of `verify`. */
export interface VerifyOptions {
  /**
   * Public keys, one per line, from outside the log's directory. Each may be followed by its period (README, "Change
   * the key"). Default: the key in the directory.
   */
  readonly key?: string;
  /** Checkpoints that were kept elsewhere, as signed notes. */
  readonly anchor?: string | readonly string[];
  /**
   * Verifies the signature of every checkpoint. By default, only signatures that no later checkpoint of the file covers
   * by its hash: in files of this version the last. See docs/details/audit.md, "What is verified".
   */
  readonly everySignature?: boolean;
  /** The witnesses, and how many of them must have cosigned. Their heads are treated like an anchor. */
  readonly witnesses?: WitnessPolicy;
  /** Called with the progress after each piece of a file, about 1 MiB. */
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
 * Checks the options of a verification: with a misspelled `anchor`, the verdict would cover less than the caller
 * expects.
 *
 * @param of the function that takes them
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export function checkVerifyOptions(of: string, options: VerifyOptions): VerifyOptions {
  const checked = checkOptions(of, options, checks);
  if (checked.witnesses !== undefined) checkOptions(`witnesses of ${of}`, checked.witnesses, policyChecks, ["keys"]);
  return checked;
}
