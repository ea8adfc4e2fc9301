import { type Check, optionsChecker } from "@suite/kit/options";
import { AgentError } from "./errors.js";

/** The checks of an options type. The compiler requires one for each option. */
export type Checks<Options> = Readonly<Record<keyof Options & string, Check>>;

/** @throws AgentError `ERR_AGENT_OPTIONS` for an unknown option or an invalid value. */
export const checkOptions = optionsChecker((message) => new AgentError("ERR_AGENT_OPTIONS", message));
