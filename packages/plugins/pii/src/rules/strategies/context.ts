import type { Finding } from "../../scan/rule.js";
import type { HashKey } from "./hash-key.js";

/** The context of the compilation of a strategy. */
export interface StrategyContext {
  readonly type: string;
  readonly hashKey: HashKey | undefined;
  /** Normalizes a value that has several spellings. */
  readonly normal?: ((value: string) => string) | undefined;
  /** The mask of the type. */
  readonly mask: ((value: string) => string) | undefined;
}

/** A compiled strategy: returns the replacement of a finding. */
export type Replace = (finding: Finding) => string;
