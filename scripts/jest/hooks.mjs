// Lets Node import TypeScript. Sources of packages are loaded once in a process, and what lies beside them (tests and what
// helps them) once for each test file, which is what `?file=` says.
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "../workspaces.mjs";
import { compiled, entriesToSources } from "./sources.mjs";

const globals = new URL("globals.mjs", import.meta.url).href;
const entries = new Map(
  entriesToSources().map(({ specifier, source }) => [specifier, pathToFileURL(join(root, source)).href]),
);
const packages = join(root, "packages") + sep;

/** Whether the module of a file is the same for all test files. @param {string} path */
const shared = (path) => path.startsWith(packages) && path.includes(`${sep}src${sep}`);

/** @type {Map<string, string | undefined>} */
const sources = new Map();

/** The TypeScript file that a URL stands for, with `.js` in the place of `.ts` as TypeScript has it. @param {string} url */
function sourceOf(url) {
  if (!sources.has(url)) {
    const path = fileURLToPath(url);
    const typed = path.replace(/\.js$/, ".ts");
    sources.set(
      url,
      typed.endsWith(".ts") && (typed === path || !existsSync(path)) && existsSync(typed) ? typed : undefined,
    );
  }
  return sources.get(url);
}

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  if (specifier === "@jest/globals") return { url: globals, format: "module", shortCircuit: true };
  const from = context.parentURL;
  const relative = /^\.{0,2}\//.test(specifier) && from?.startsWith("file:") && !from.includes("/node_modules/");
  const wanted = entries.get(specifier) ?? (relative ? new URL(specifier, from).href : specifier);
  const [url = "", query] = wanted.split("?");
  const path = url.startsWith("file:") && !url.includes("/node_modules/") ? sourceOf(url) : undefined;
  if (path === undefined) return next(specifier, context);
  const asked = query ?? (shared(path) ? undefined : from?.split("?")[1]);
  return { url: pathToFileURL(path).href + (asked ? `?${asked}` : ""), format: "module", shortCircuit: true };
}

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  const [file = ""] = url.split("?");
  if (!file.startsWith("file:") || !file.endsWith(".ts") || file.includes("/node_modules/")) return next(url, context);
  return { format: "module", source: compiled(fileURLToPath(file)).code, shortCircuit: true };
}
