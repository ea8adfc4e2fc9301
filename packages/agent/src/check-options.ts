import { any, type Check, callable, name, oneOf, optionsChecker } from "@suite/core/options";
import { AgentError } from "./errors.js";
import type { AgentOptions, AgentRunOptions, ResumeOptions } from "./options.js";

/** The checks of an options type. The compiler requires one for each option. */
export type Checks<Options> = Readonly<Record<keyof Options & string, Check>>;

/** @throws AgentError `ERR_AGENT_OPTIONS` for an option that does not exist, or has no valid value. */
export const checkOptions = optionsChecker((message) => new AgentError("ERR_AGENT_OPTIONS", message));

/** The options of `createAgent`. An option with the check `any` is checked where it is used. */
export const agentChecks: Checks<AgentOptions> = {
  name: any,
  description: any,
  id: any,
  version: any,
  operation: oneOf("workflow"),
  plans: oneOf("first", "every"),
  model: any,
  tools: any,
  systemPrompt: any,
  plugins: any,
  settings: any,
  toolChoice: any,
  outputSchema: any,
  maxRounds: any,
  stopWhen: any,
  maxParallelTools: any,
  toolTimeout: any,
  compressContext: callable,
  onHumanInput: callable,
  resume: any,
  ambient: any,
};

/** The options of a run. */
export const runChecks: Checks<AgentRunOptions> = {
  plugins: any,
  signal: any,
  sessionId: any,
  userId: any,
  tenantId: any,
  parent: any,
  parentCall: any,
  incoming: any,
  settings: any,
  values: any,
  onInterrupted: callable,
};

export const resumeChecks: Checks<ResumeOptions> = { keys: any, store: any, expiresIn: any, maxBytes: any };

/** The option of all decisions that a person makes. */
export const decisionChecks: Checks<{ readonly by?: string }> = { by: name };
