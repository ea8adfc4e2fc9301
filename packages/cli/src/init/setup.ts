import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { CliError } from "../errors.js";
import type { Manifest } from "../project/manifest.js";

/** The module that sets tracing up and has the list of plugins, beside the file that uses it. */
export interface Setup {
  readonly path: string;
  /** The text of it; undefined where it is there already. */
  readonly text: string | undefined;
}

const isCommonJs = (code: string): boolean => !/^\s*import\b/m.test(code) && /\brequire\s*\(/.test(code);

/**
 * The set-up for a file: of the same kind, so that it is read as that one is.
 *
 * @throws CliError `ERR_CLI_FILE` where a file of that name has no plugins
 */
export async function setupFor(file: string, code: string, manifest: Manifest): Promise<Setup> {
  const path = join(dirname(file), `suite${extname(file).replace("x", "")}`);
  const there = await readFile(path, "utf8").catch(() => undefined);
  if (there === undefined) return { path, text: textOf(isCommonJs(code), serviceOf(manifest)) };
  if (/\bexport const plugins\b|\bexports\.plugins\b/.test(there)) return { path, text: undefined };
  throw new CliError(
    "ERR_CLI_FILE",
    "The name suite, with the ending of your file, is taken by a file that exports no plugins, and nothing is overwritten. Export plugins from it, or give it another name.",
  );
}

/** The project's name where it is a plain one. */
const serviceOf = ({ name = "" }: Manifest): string =>
  /^[\w.-]{1,60}$/.test(name.replace(/^@[\w.-]+\//, "")) ? name.replace(/^@[\w.-]+\//, "") : "my-agent";

function textOf(commonJs: boolean, service: string): string {
  const [tracing, setup] = commonJs
    ? ['const { tracing } = require("@suite/tracing");', 'const { setupTracing } = require("@suite/tracing/node");']
    : ['import { tracing } from "@suite/tracing";', 'import { setupTracing } from "@suite/tracing/node";'];
  const say = commonJs ? "exports." : "export const ";
  return `${tracing}
${setup}

// Spans go where OTEL_EXPORTER_OTLP_ENDPOINT says, and nowhere while it is not set.
${say}telemetry = setupTracing({ serviceName: "${service}" });

// Round each call of the agent; the first is outermost.
${say}plugins = [tracing()];
`;
}

/**
 * The text by which a file imports its set-up. TypeScript's tools want it in three ways: as the file's own imports have it,
 * else as the project's configuration says.
 */
export async function specifierOf(file: string, code: string, folder: string): Promise<string> {
  const extension = extname(file).replace("x", "");
  if (!extension.includes("ts")) return `./suite${extension}`;
  const written = /\bfrom\s+["']\.{1,2}\/[^"']*?(\.[cm]?[jt]sx?)?["']/.exec(code);
  if (written !== null) {
    if (written[1] === undefined) return "./suite";
    return `./suite${written[1].includes("ts") ? extension : extension.replace("ts", "js")}`;
  }
  const configuration = await readFile(join(folder, "tsconfig.json"), "utf8").catch(() => undefined);
  // Without a configuration it is Node that reads it, and strips the types.
  if (
    configuration === undefined ||
    /(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/.test(configuration)
  )
    return `./suite${extension}`;
  return /"moduleResolution"\s*:\s*"bundler"/i.test(configuration)
    ? "./suite"
    : `./suite${extension.replace("ts", "js")}`;
}
