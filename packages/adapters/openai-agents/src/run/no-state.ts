import { OpenAIAgentsError } from "../errors.js";

/**
 * Creates the error for a layer that suspended a run before the SDK started. Without a state the run cannot be resumed.
 */
export const noState = (agent: string): OpenAIAgentsError =>
  new OpenAIAgentsError(
    "ERR_OPENAI_AGENTS_UNSUPPORTED",
    `A plugin suspended the run of ${agent} before it started. Suspend after callNext().`,
  );
