import { blocked } from "../../errors.js";
import type { Replace, StrategyContext } from "./context.js";

/** The strategy `block`: ends the call. */
export function block({ type }: StrategyContext): Replace {
  return () => {
    throw blocked([type]);
  };
}
