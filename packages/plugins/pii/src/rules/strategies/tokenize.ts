import type { Replace, StrategyContext } from "./context.js";
import { redact } from "./redact.js";

/**
 * The strategy `tokenize`: `<EMAIL_1_bcdfghjk>`, put back where it may be seen. Tokens are made by the session that a text belongs to; where there
 * is none (telemetry and audit), a value is taken out for good.
 */
export const tokenize = (context: StrategyContext): Replace => redact(context);
