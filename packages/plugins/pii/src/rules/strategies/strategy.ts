import type { Strategy } from "../rule.js";
import { block } from "./block.js";
import type { Replace, StrategyContext } from "./context.js";
import { hash } from "./hash.js";
import { mask } from "./mask.js";
import { redact } from "./redact.js";
import { tokenize } from "./tokenize.js";

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
