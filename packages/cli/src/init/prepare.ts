import { readFile, stat } from "node:fs/promises";
import { extname, relative, resolve } from "node:path";
import { CliError } from "../errors.js";
import { dependenciesOf, type Project } from "../project/manifest.js";
import { installCommand } from "../project/package-manager.js";
import { addition, diff, type Edit, edited } from "./edits.js";
import { plan } from "./plan.js";
import { setupFor, setupPath, setupsIn, specifierOf } from "./setup.js";
import { sourceFiles } from "./source-files.js";
import { type Target, targets } from "./targets.js";

/** More than any hand-written program: larger files are generated. */
const MOST_BYTES = 1_000_000;

/** A file with a place for the plugins, or with attached plugins. */
export interface Candidate {
  readonly path: string;
  readonly code: string;
  readonly target: Target;
  readonly plan: readonly Edit[] | "done";
}

/** The files to write, the change as a diff, and the missing packages. */
export interface Change {
  readonly writes: readonly { readonly path: string; readonly text: string; readonly isNew: boolean }[];
  readonly diff: string;
  /** The command that installs missing dependencies; undefined if none are missing. */
  readonly install: string | undefined;
  /** The further steps for the user. */
  readonly notes: readonly string[];
}

/** Returns the candidates of a project: in the given file, or in all its files. @throws CliError */
export async function candidatesIn(project: Project, file: string | undefined): Promise<readonly Candidate[]> {
  const { folder } = project;
  const known = await setupsIn(project);
  const paths = file === undefined ? (await sourceFiles(folder)).map((path) => resolve(folder, path)) : [file];
  const all = await Promise.all(paths.map((path) => candidateIn(path, project, known, file !== undefined)));
  return all.filter((each) => each !== undefined);
}

async function candidateIn(
  path: string,
  project: Project,
  known: readonly string[],
  isExplicit: boolean,
): Promise<Candidate | undefined> {
  const code = await codeOf(path).catch((cause: unknown) => {
    if (!isExplicit) return "";
    throw new CliError("ERR_CLI_FILE", "--file: the file does not exist or cannot be read.", { cause });
  });
  const extension = extname(path);
  const file = {
    code,
    isTypeScript: extension.includes("ts"),
    isJsx: extension.endsWith("x"),
    setup: await specifierOf(path, code, project.folder, setupPath(path, project, known)),
  };
  for (const target of targets) {
    const found = Object.keys(target.from).some((name) => code.includes(name)) ? plan(file, target) : undefined;
    if (found !== undefined) return { path, code, target, plan: found };
  }
  return undefined;
}

async function codeOf(path: string): Promise<string> {
  return (await stat(path)).size > MOST_BYTES ? "" : readFile(path, "utf8");
}

/** Returns the change for a candidate, without writing it. @throws CliError `ERR_CLI_FILE` */
export async function changeOf(project: Project, candidate: Candidate): Promise<Change> {
  const { folder } = project;
  const { path, code, target, plan: edits } = candidate;
  const install = await missing(project, target);
  if (edits === "done") return { writes: [], diff: "", install, notes: [] };
  const known = await setupsIn(project);
  const setup = await setupFor(setupPath(path, project, known), code, project, known);
  const displayPath = (file: string) => relative(folder, file).replaceAll("\\", "/");
  const change = { path, text: edited(code, edits), isNew: false };
  const added = setup.files.map((file) => ({ ...file, isNew: true }));
  return {
    writes: [...added, change],
    diff: [
      ...added.map((each) => addition(displayPath(each.path), each.text)),
      diff(displayPath(path), code, edits),
    ].join("\n"),
    install,
    notes: setup.notes,
  };
}

/** The peers of `@suite/tracing/node`, in versions that are compatible. */
export const openTelemetry = [
  "@opentelemetry/api@1.9",
  "@opentelemetry/sdk-trace-node@2",
  "@opentelemetry/resources@2",
  "@opentelemetry/exporter-trace-otlp-http@0.223",
];

async function missing({ folder, manifest }: Project, { adapter, needs = [] }: Target): Promise<string | undefined> {
  const dependencies = dependenciesOf(manifest);
  const wanted = ["@suite/core", adapter, ...needs, "@suite/tracing", ...openTelemetry];
  const absent = wanted.filter((each) => !Object.hasOwn(dependencies, each.replace(/(.)@.*/, "$1")));
  return absent.length === 0 ? undefined : `${await installCommand(folder)} ${absent.join(" ")}`;
}

/** Returns an example expression that creates the wrapped object. */
function example({ framework, from }: Target): string {
  const [names = []] = Object.values(from);
  const [name = ""] = names.filter((each) => each !== "default");
  return framework === "@suite/agent" ? `${name}({ … })` : `new ${name}({ … })`;
}

/** Returns the lines to write by hand if no place for them is clear. */
export function byHand(manifest: Project["manifest"]): string {
  const dependencies = dependenciesOf(manifest);
  const target = targets.find(({ framework }) => Object.hasOwn(dependencies, framework));
  if (target === undefined)
    return `This project depends on none of ${targets.map(({ framework }) => framework).join(", ")}. Use @suite/agent as the agent loop, or @suite/fetch with any client that accepts a fetch function.`;
  const use =
    target.wraps === "module"
      ? `import * as ${target.alias} from "${target.framework}";\nconst { ${Object.values(target.from)[0]?.[0]} } = withPlugins(${target.alias}, plugins);`
      : `const ${target.alias} = withPlugins(${example(target)}, plugins);`;
  return `To do it by hand:\n\nimport { withPlugins } from "${target.adapter}";\n${use}`;
}
