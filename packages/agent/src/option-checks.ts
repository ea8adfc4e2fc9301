import { any, callable, oneOf } from "@suite/kit/options";
import type { Checks } from "./check-options.js";
import type { AgentOptions, AgentRunOptions } from "./options.js";

/** The options of `createAgent`. An option with the check `any` is checked by the code that uses it. */
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
