import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { frameworks } from "../frameworks.js";
import { openTelemetry } from "../init/prepare.js";
import { allSourceFiles } from "../init/source-files.js";
import { type Token, tokensOf, unquoted } from "../init/tokens.js";
import { find } from "../project/installed.js";
import type { Project } from "../project/manifest.js";
import { type Finding, note, wrong } from "./finding.js";

/** More than any program that a person wrote: a larger file was generated. */
const MOST_BYTES = 1_000_000;
const TRACING = "@suite/tracing/node";

/** The parts of the suite that one file of a project uses. */
interface Use {
  readonly path: string;
  /** The modules that it imports. */
  readonly imports: ReadonlySet<string>;
  readonly setsUpTracing: boolean;
  readonly hasTelemetryOfSdk: boolean;
}

/**
 * Reads the source files of a project. Reports imports that are not installed, adapters that are never attached, and
 * tracing that is set up twice.
 */
export async function checkSources({ folder }: Project, install: string): Promise<readonly Finding[]> {
  const uses = (await Promise.all((await allSourceFiles(folder)).map((path) => useOf(folder, path)))).filter(
    (use) => use !== undefined,
  );
  return [...(await missing(uses, folder, install)), ...(await unattached(uses, folder)), ...doubled(uses)];
}

async function useOf(folder: string, path: string): Promise<Use | undefined> {
  const file = join(folder, path);
  try {
    if ((await stat(file)).size > MOST_BYTES) return undefined;
    const tokens = tokensOf(await readFile(file, "utf8"), path.endsWith("x"));
    return {
      path,
      imports: importsIn(tokens),
      setsUpTracing: tokens.some(({ value }, at) => value === "setupTracing" && tokens[at + 1]?.value === "("),
      hasTelemetryOfSdk: tokens.some(({ value }) => value === "experimental_telemetry"),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the modules that a file imports: by a statement, `import()` or `require()`. Imports of types are left out.
 */
function importsIn(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    const source = unquoted(token);
    if (source === undefined) continue;
    const [before, earlier] = [tokens[at - 1]?.value ?? "", tokens[at - 2]?.value ?? ""];
    const isCall = before === "(" && (earlier === "import" || earlier === "require");
    if (isCall || before === "import" || (before === "from" && !isTypeImport(tokens, at))) found.add(source);
  }
  return found;
}

function isTypeImport(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at >= 0; at--)
    if (["import", "export"].includes(tokens[at]?.value ?? "")) return tokens[at + 1]?.value === "type";
  return false;
}

/** Returns the package name of a module specifier. */
const packageOf = (source: string): string =>
  source
    .split("/")
    .slice(0, source.startsWith("@") ? 2 : 1)
    .join("/");

/**
 * Reports packages of the suite and of OpenTelemetry that files import, or that their imports need, and that are not
 * installed.
 */
async function missing(uses: readonly Use[], folder: string, install: string): Promise<readonly Finding[]> {
  const wanted = new Map<string, { readonly by: string; readonly from: string; readonly asked: string }>();
  for (const { path, imports } of uses) {
    for (const source of imports) {
      const name = packageOf(source);
      if (/^@(?:suite|opentelemetry)\//.test(name) && !wanted.has(name))
        wanted.set(name, { by: path, from: dirname(join(folder, path)), asked: name });
    }
  }
  const tracer = uses.find(({ imports }) => imports.has(TRACING));
  for (const asked of tracer === undefined ? [] : openTelemetry) {
    const name = asked.replace(/(.)@.*/, "$1");
    if (tracer !== undefined && !wanted.has(name))
      wanted.set(name, { by: `${TRACING}, which ${tracer.path} imports`, from: folder, asked });
  }
  const rows = await Promise.all(
    [...wanted].map(async ([name, { by, from, asked }]) =>
      (await find(name, from)) === undefined
        ? [wrong(name, `It is not installed. It is required by ${by}.`, `${install} ${asked}`)]
        : [],
    ),
  );
  return rows.flat();
}

/** Reports installed adapters that no file imports, although their framework is imported. */
async function unattached(uses: readonly Use[], folder: string): Promise<readonly Finding[]> {
  const imported = new Set(uses.flatMap(({ imports }) => [...imports].map(packageOf)));
  const rows: Finding[] = [];
  for (const adapter of new Set(frameworks.map((framework) => framework.adapter))) {
    const served = frameworks.filter((framework) => framework.adapter === adapter && imported.has(framework.name));
    if (served.length === 0 || imported.has(adapter) || (await find(adapter, folder)) === undefined) continue;
    const names = served.map(({ name }) => name).join(", ");
    rows.push(
      wrong(
        adapter,
        `It is installed for ${names}, but no file here imports it, so no plugin is attached.`,
        "suite init",
      ),
    );
  }
  return rows;
}

function doubled(uses: readonly Use[]): readonly Finding[] {
  const setups = uses.filter(({ setsUpTracing }) => setsUpTracing).map(({ path }) => path);
  const sdk = uses.filter(({ hasTelemetryOfSdk }) => hasTelemetryOfSdk).map(({ path }) => path);
  return [
    ...(setups.length > 1
      ? [
          note(
            "tracing",
            `setupTracing is called in ${setups.length} files: ${setups.join(", ")}. Each process may call it only once.`,
            "keep it in one file, and import plugins from there, unless these are files of different processes",
          ),
        ]
      : []),
    ...(setups.length > 0 && sdk.length > 0
      ? [
          note(
            "tracing",
            `experimental_telemetry is used in ${sdk.join(", ")}: together with tracing(), each span is created twice.`,
            "remove experimental_telemetry",
          ),
        ]
      : []),
  ];
}
