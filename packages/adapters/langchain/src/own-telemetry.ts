import { getEnvironmentVariable } from "@langchain/core/utils/env";

/** The environment variables that enable LangSmith. */
const switches = ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"];

let warned = false;

/**
 * Warns once if LangSmith is enabled. Plugins cannot guard it: it receives the input and output of graphs and their
 * nodes.
 */
export function warnOfLangSmith(): void {
  const name = switches.find((each) => getEnvironmentVariable(each) === "true");
  if (warned || name === undefined) return;
  warned = true;
  console.warn(
    `@suite/langchain: LangSmith is on (${name}), and receives what users write without passing any plugin. ` +
      `Choose one: ${name}=false leaves telemetry to the plugins; LANGSMITH_HIDE_INPUTS=true and LANGSMITH_HIDE_OUTPUTS=true keep messages out of LangSmith.`,
  );
}
