import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { GuardrailsError } from "../errors.js";
import { checkPolicy, type ToolPolicy } from "../policy/policy.js";

/**
 * Reads a tool policy from a YAML or JSON file.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_POLICY` where it is none. Errors of the file system pass as they are.
 */
export async function readToolPolicy(path: string | URL): Promise<ToolPolicy> {
  const text = await readFile(path, "utf8");
  return checkPolicy(parsed(text), "The file");
}

/** A text as YAML, which JSON is, too: without tags of JavaScript's, and without aliases that multiply. */
function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, uniqueKeys: true, strict: true, logLevel: "error" });
  } catch (error) {
    // The first line of the parser's message says what and where; the lines below it show the file.
    const [problem = ""] = error instanceof Error ? error.message.split("\n") : [];
    throw new GuardrailsError("ERR_GUARDRAILS_POLICY", `The file is not YAML: ${problem.replace(/:$/, "")}.`);
  }
}
