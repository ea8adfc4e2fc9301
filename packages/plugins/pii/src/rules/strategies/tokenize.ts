import type { Replace, StrategyContext } from "./context.js";
import { redact } from "./redact.js";

/**
 * Creates the strategy `tokenize`: `<EMAIL_1_bcdfghjk>`, which is restored for the user. The session of the conversation
 * creates the tokens. Without a session (telemetry and audit) the value is redacted.
 */
export const tokenize = (context: StrategyContext): Replace => redact(context);
