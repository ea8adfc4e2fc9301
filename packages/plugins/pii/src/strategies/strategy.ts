import type { Finding, Strategy } from "../rules/rule.js";
import { block } from "./block.js";
import { hash } from "./hash.js";
import type { HashKey } from "./hash-key.js";
import { mask } from "./mask.js";
import { redact } from "./redact.js";
import { tokenize } from "./tokenize.js";

/** What a strategy is made from. */
export interface StrategyContext {
  readonly type: string;
  readonly hashKey: HashKey | undefined;
  /** The one spelling of a value that can be written in several. */
  readonly normal?: ((value: string) => string) | undefined;
  /** The type's own mask. */
  readonly mask: ((value: string) => string) | undefined;
}

export type Replace = (finding: Finding) => string;

type StrategyName = Extract<Strategy, string>;

/** Every strategy that has a name. */
const named: Readonly<Record<StrategyName, (context: StrategyContext) => Replace>> = {
  block,
  redact,
  mask,
  hash,
  tokenize,
};

export const strategyNames = Object.keys(named) as readonly StrategyName[];

export const isStrategyName = (name: string): name is StrategyName => Object.hasOwn(named, name);

/** Compiles a strategy for one type. */
export function compileStrategy(strategy: Strategy, context: StrategyContext): Replace {
  return typeof strategy === "function" ? strategy : named[strategy](context);
}
