import { Agent } from "@openai/agents";
import * as shared from "../../../../integration-tests/watched.js";

export { text } from "../../../../integration-tests/watched.js";

/** The three plugins, in one of their orders. The SDK has no place for what a person is asked. */
export const watched = (order = 0) =>
  shared.watched({
    order,
    apply: { output: true, toolArguments: true, toolResults: true, systemPrompt: true, errors: true },
  });

/** The planted values that are found in what was told; but not in agents, which are the user's own. */
export const found = (told: unknown): string[] => shared.found(shared.textOf(told, (value) => value instanceof Agent));
