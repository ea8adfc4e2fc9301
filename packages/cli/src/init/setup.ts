import { readFile } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { CliError } from "../errors.js";
import { isThere } from "../project/is-there.js";
import { dependenciesOf, type Manifest, type Project } from "../project/manifest.js";
import { setupFiles } from "./source-files.js";

/** A file to create. */
interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** The module with the list of plugins. A project has one, which all its files share. */
export interface Setup {
  readonly path: string;
  /** The files to write: none if the module already exists. */
  readonly files: readonly NewFile[];
  /** The further steps for the user. */
  readonly notes: readonly string[];
}

const isCommonJs = (code: string): boolean => !/^\s*import\b/m.test(code) && /\brequire\s*\(/.test(code);
const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path);

/** Reads the set-up modules of a project: files with the name `suite` that export plugins. */
export async function setupsIn({ folder }: Project): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await setupFiles(folder)) {
    const code = await readFile(join(folder, path), "utf8").catch(() => "");
    if (/\bexport const plugins\b|\bexports\.plugins\b/.test(code)) found.push(join(folder, path));
  }
  return found;
}

/**
 * Returns the path of the set-up module for a file: the nearest one in the folders above it, otherwise any other one of
 * the project, otherwise a new one. A second module would register tracing a second time.
 *
 * @param known the existing set-up modules
 */
export function setupPath(file: string, { folder }: Project, known: readonly string[]): string {
  const usable = known.filter((path) => isTypeScript(file) || !isTypeScript(path));
  for (let at = dirname(file); ; at = dirname(at)) {
    const here = usable.find((path) => dirname(path) === at);
    if (here !== undefined) return here;
    if (at === folder || dirname(at) === at) break;
  }
  return usable[0] ?? join(sourceFolder(file, folder), `suite${extname(file).replace("x", "")}`);
}

/**
 * Returns the folder for a new module that all files can import: `src` if the file is in it, otherwise the project's
 * folder.
 */
function sourceFolder(file: string, folder: string): string {
  const [first] = relative(folder, file).split(sep);
  if (first === "..") return dirname(file);
  return first === "src" ? join(folder, "src") : folder;
}

/**
 * Returns the changes that let a file import the plugins from the set-up module.
 *
 * @throws CliError `ERR_CLI_FILE` if a file with that name exports no plugins
 */
export async function setupFor(path: string, code: string, project: Project, known: readonly string[]): Promise<Setup> {
  if (known.includes(path)) return { path, files: [], notes: [] };
  if (await isThere(path))
    throw new CliError(
      "ERR_CLI_FILE",
      "A file named suite with the extension of your file exists but exports no plugins. It was not overwritten. Export plugins from it, or rename it.",
    );
  const serviceName = serviceNameOf(project.manifest);
  if (Object.hasOwn(dependenciesOf(project.manifest), "next")) return setupForNext(path, project, serviceName);
  return { path, files: [{ path, text: setupModuleText(isCommonJs(code), serviceName) }], notes: [] };
}

/** Returns the project's name without its scope, or `my-agent` if the name contains unusual characters. */
const serviceNameOf = ({ name = "" }: Manifest): string =>
  /^[\w.-]{1,60}$/.test(name.replace(/^@[\w.-]+\//, "")) ? name.replace(/^@[\w.-]+\//, "") : "my-agent";

/** The lines for the list of plugins, with the way to record messages: without a redactor, none are recorded. */
const listOf = (
  declare: string,
): string => `// Messages are recorded with tracing({ content: "redacted" }) and pii() of @suite/pii in this list.
${declare}plugins = [tracing()];
`;

function setupModuleText(commonJs: boolean, serviceName: string): string {
  const [tracing, setup] = commonJs
    ? ['const { tracing } = require("@suite/tracing");', 'const { setupTracing } = require("@suite/tracing/node");']
    : ['import { tracing } from "@suite/tracing";', 'import { setupTracing } from "@suite/tracing/node";'];
  const declare = commonJs ? "exports." : "export const ";
  return `${tracing}
${setup}

// Spans are sent to the address in OTEL_EXPORTER_OTLP_ENDPOINT. If it is not set, nothing is sent.
${declare}telemetry = setupTracing({ serviceName: "${serviceName}" });

// The plugins wrap each call of the agent; the first is the outermost.
${listOf(declare)}`;
}

/** The name of the module that Next.js loads once, when its server starts. */
const instrumentation = "instrumentation";

/**
 * Prepares the files for Next.js. It evaluates modules again after an edit, and tracing may be registered once, so tracing is set up
 * in the function that Next.js calls when its server starts.
 */
async function setupForNext(path: string, { folder }: Project, serviceName: string): Promise<Setup> {
  const files = [
    {
      path,
      text: `import { tracing } from "@suite/tracing";

// The plugins wrap each call of the agent; the first is the outermost. Tracing is set up in ${instrumentation}.
${listOf("export const ")}`,
    },
  ];
  const inSource = (await isThere(join(folder, "src/app"))) || (await isThere(join(folder, "src/pages")));
  const base = join(folder, inSource ? "src" : "", instrumentation);
  for (const extension of [".ts", ".js"]) {
    const code = await readFile(`${base}${extension}`, "utf8").catch(() => undefined);
    if (code === undefined) continue;
    const note = `Your ${instrumentation}${extension} does not set up tracing. Add to its register(), if process.env.NEXT_RUNTIME is "nodejs":\n\n${registration(serviceName)}`;
    return { path, files, notes: code.includes("setupTracing") ? [] : [note] };
  }
  const text = `// Next.js calls this once, when its server starts.
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
${registration(serviceName)}
}
`;
  return { path, files: [...files, { path: `${base}${isTypeScript(path) ? ".ts" : ".js"}`, text }], notes: [] };
}

const registration = (serviceName: string): string => `  const { setupTracing } = await import("@suite/tracing/node");
  // Spans are sent to the address in OTEL_EXPORTER_OTLP_ENDPOINT. If it is not set, nothing is sent.
  setupTracing({ serviceName: "${serviceName}" });`;

/**
 * Returns the specifier that a file uses to import its set-up module. TypeScript's tools accept three forms: the form of
 * the file's other imports is used, otherwise that of the project's configuration.
 */
export async function specifierOf(file: string, code: string, folder: string, setup: string): Promise<string> {
  const path = relative(dirname(file), resolve(setup)).split(sep).join("/");
  const extension = extname(path);
  const bare = `${path.startsWith(".") ? "" : "./"}${path.slice(0, -extension.length)}`;
  // A bundler resolves both. A JavaScript module is imported by its file name.
  if (!extension.includes("ts") || !isTypeScript(file)) return `${bare}${extension}`;
  const written = /\bfrom\s+["']\.{1,2}\/[^"']*?(\.[cm]?[jt]sx?)?["']/.exec(code);
  if (written !== null) {
    if (written[1] === undefined) return bare;
    return `${bare}${written[1].includes("ts") ? extension : extension.replace("ts", "js")}`;
  }
  const configuration = await readFile(join(folder, "tsconfig.json"), "utf8").catch(() => undefined);
  // Without a configuration, Node reads the file and strips the types.
  if (
    configuration === undefined ||
    /(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/.test(configuration)
  )
    return `${bare}${extension}`;
  return /"moduleResolution"\s*:\s*"bundler"/i.test(configuration) ? bare : `${bare}${extension.replace("ts", "js")}`;
}
