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
