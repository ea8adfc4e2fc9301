import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { packageUrl } from "@suite/kit/package";
import { GuardrailsError } from "../errors.js";
import { readToolPolicy } from "../node/read-policy.js";
import { evalCommand } from "./eval.js";

const usage = `suite-guardrails check FILE...     checks that each FILE is a tool policy, in YAML or JSON
suite-guardrails eval FILE... --guard NAME [options]     measures guards on JSON lines, {"text": "…", "label": true} each

--guard NAME       promptInjection, toolResults, or the path of a module whose default export is a function that returns
                   a score from 0 to 1, or a boolean, for a string; can be repeated
--threshold N      prints precision and recall only for N, instead of 0.1 to 0.9
--json             the figures as JSON
--help
--version

Exit codes: 0 success, 1 a FILE is not a policy, 2 the command could not be run.`;

/** The exit code. 0: success. 1: an invalid policy. 2: a usage or file error. */
export type ExitCode = 0 | 1 | 2;

/** Runs `suite-guardrails` with these arguments. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        guard: { type: "string", multiple: true, default: [] },
        threshold: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
    const [command, ...files] = positionals;
    if (values.help === true) {
      console.log(usage);
      return 0;
    }
    if (values.version === true) {
      console.log(await version());
      return 0;
    }
    if (command === "check" && files.length > 0) return await check(files);
    if (command === "eval") {
      const { guard: guards, threshold, json } = values;
      console.log(await evalCommand({ files, guards, threshold, json }));
      return 0;
    }
    console.error(usage);
    return 2;
  } catch (error) {
    console.error(error instanceof Error ? firstSentence(error.message) : error);
    return 2;
  }
}

/** Removes Node's advice on arguments that begin with a dash: no command here takes one. */
const firstSentence = (message: string): string => message.replace(/\. To specify a positional argument[\s\S]*$/, ".");

/** Returns the version of this package. */
async function version(): Promise<string> {
  const manifest = await readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** Reports for each file if it is a valid policy, and its contents. */
async function check(files: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  for (const file of files) {
    try {
      const { allow = [], deny = [], rates = [], default: defaultRule = "deny" } = await readToolPolicy(file);
      const counts = `${allow.length} allow, ${deny.length} deny, ${rates.length} rates`;
      console.log(`${file}: a tool policy (${counts}; all else: ${defaultRule})`);
    } catch (error) {
      if (!GuardrailsError.is(error)) throw error;
      console.error(`${file}: ${error.message}`);
      code = 1;
    }
  }
  return code;
}
