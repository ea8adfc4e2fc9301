import { blocked } from "../errors.js";
import type { Replace, StrategyContext } from "./strategy.js";

/** Ends the call. */
export function block({ type }: StrategyContext): Replace {
  return () => {
    throw blocked([type]);
  };
}
