import type { Finding } from "../../scan/rule.js";
import type { HashKey } from "./hash-key.js";

/** The context that a strategy is compiled from. */
export interface StrategyContext {
  readonly type: string;
  readonly hashKey: HashKey | undefined;
  /** The one spelling of a value that can be written in several. */
  readonly normal?: ((value: string) => string) | undefined;
  /** The type's own mask. */
  readonly mask: ((value: string) => string) | undefined;
}

/** A compiled strategy: the text that stands in the place of a finding. */
export type Replace = (finding: Finding) => string;
