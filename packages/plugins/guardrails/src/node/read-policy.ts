import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { GuardrailsError } from "../errors.js";
import { checkPolicy, type ToolPolicy } from "../policy/policy.js";

/**
 * Reads a tool policy from a YAML or JSON file.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_POLICY` if the policy is invalid. File system errors pass unchanged.
 */
export async function readToolPolicy(path: string | URL): Promise<ToolPolicy> {
  const text = await readFile(path, "utf8");
  return checkPolicy(parsed(text), "The file");
}

/** Parses YAML or JSON, without JavaScript tags, and with a limit on aliases. */
function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, uniqueKeys: true, strict: true, logLevel: "error" });
  } catch (error) {
    // Use only the first line of the parser's message, because the following lines quote the file.
    const [problem = ""] = error instanceof Error ? error.message.split("\n") : [];
    throw new GuardrailsError("ERR_GUARDRAILS_POLICY", `The file is not YAML: ${problem.replace(/:$/, "")}.`);
  }
}
