import { OpenAIAgentsError } from "../errors.js";

/** A layer suspended a run before the SDK was entered: there is no state from which it could go on. */
export const noState = (agent: string): OpenAIAgentsError =>
  new OpenAIAgentsError(
    "ERR_OPENAI_AGENTS_NO_PLACE",
    `A layer suspended the run of ${agent} before it began. Suspend after callNext().`,
  );
