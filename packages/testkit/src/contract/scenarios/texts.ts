import type { ContractTool } from "../subject.js";

/** JSON Schema of an object of strings, all required. */
export const strings = (...names: readonly string[]): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
  additionalProperties: false,
});

/** Creates a tool that records its inputs. */
export function recordingTool(
  name: string,
  parameter: string,
  execute: (input: unknown) => unknown,
  more: Partial<ContractTool> = {},
) {
  const inputs: unknown[] = [];
  const tool: ContractTool = {
    name,
    description: `The contract tests' tool ${name}.`,
    parameters: strings(parameter),
    execute(input) {
      inputs.push(input);
      return execute(input);
    },
    ...more,
  };
  return { tool, inputs };
}

/** A tool that runs elsewhere. */
export function externalTool(name: string, parameter: string): ContractTool {
  return { name, description: `The contract tests' tool ${name}.`, parameters: strings(parameter) };
}
