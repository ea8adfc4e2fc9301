import { type CallId, definePlugin, type Plugin, type RuntimeContext, signalOf, type Tool } from "@suite/core";
import { isObject } from "@suite/kit";
import { count, flag, listOf, name as text, time } from "@suite/kit/options";
import { namesBelow, realRoot, stateBelow } from "./files/below.js";
import { type GrepMode, grep } from "./files/grep.js";
import { expression, type PathTest, pathTest } from "./files/patterns.js";
import { displayLines, displayPath } from "./files/shown.js";
import { Bounds, compare, filesBelow, isVisible, type Visible } from "./files/walk.js";
import { checkOptions, invalid } from "./options.js";

/** The options of `fileSearch`. */
export interface FileSearchOptions {
  /** The only folder whose files can be found and read. The model sees it as `/`. */
  readonly root: string;
  /** Includes names that begin with a dot. Default: false. */
  readonly hidden?: boolean;
  /**
   * Globs to exclude. A glob without a slash matches a name in any folder, otherwise a path from the root. Default:
   * `.git`, `node_modules`.
   */
  readonly ignore?: readonly string[];
  /** The maximum number of paths or lines in one result. Default: 200. */
  readonly maxResults?: number;
  /** The maximum number of characters in one result. Default: 30,000. */
  readonly maxCharacters?: number;
  /** The maximum size in bytes of a file that is searched. Default: 1 MiB. */
  readonly maxFileBytes?: number;
  /** The maximum number of files and folders that one search visits. Default: 100,000. */
  readonly maxEntries?: number;
  /** The time limit of one search in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /** The names of the two tools. Default: `glob` and `grep`. */
  readonly globName?: string;
  /** The name of the search tool. Default: `grep`. */
  readonly grepName?: string;
  /** The name on spans and in records. Default: `file-search`. */
  readonly name?: string;
}

const path = { type: "string", description: "The folder to search in. Default: /, the root." } as const;
const globParameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A glob relative to the folder: *.md, src/**/*.{ts,tsx}" },
    path,
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;
const grepParameters = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A regular expression of RE2, looked for in each line." },
    path: { ...path, description: "The folder or file to search in. Default: /, the root." },
    include: { type: "string", description: "A glob of the files to search: *.ts" },
    mode: {
      type: "string",
      enum: ["files", "content", "count"],
      description: "The kind of result: paths (the default), lines, or the number of matches.",
    },
    ignore_case: { type: "boolean" },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;

const nowhere = "The path does not exist. Paths begin at /, which is the root.";

/**
 * Gives the model two tools that search below a folder: `glob` finds files by name, newest first, and `grep` by
 * content. No path, link or pattern leads out of the folder. The time and output of each search are limited.
 *
 * @throws {ToolsError} `ERR_TOOLS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [fileSearch({ root: "/srv/docs" })], … });
 * ```
 */
export function fileSearch(options: FileSearchOptions): Plugin {
  options = checkOptions("fileSearch", options, checks, ["root"]);
  const { hidden = false, ignore = [".git", "node_modules"], maxResults = 200, maxCharacters = 30_000 } = options;
  const { maxFileBytes = 2 ** 20, maxEntries = 100_000, timeout = 10_000 } = options;
  const { globName = "glob", grepName = "grep", name = "file-search" } = options;
  if (globName === grepName) throw invalid("The two tools of fileSearch() must have different names.");
  const ignored = ignore.map(ignoring);

  const begin = async (runtime: RuntimeContext, call: CallId): Promise<Search> => {
    const bounds = new Bounds(maxEntries, timeout, signalOf(call) ?? runtime.signal);
    return { bounds, visible: { root: await realRoot(options.root), hidden, ignored } };
  };
  const end = (runtime: RuntimeContext, call: CallId, { bounds }: Search, found: Found): string => {
    const { stopped } = bounds;
    const notes = [...(stopped === undefined ? [] : [stopped]), ...found.notes];
    const details = { found: found.lines.length, complete: notes.length === 0 };
    runtime.notify({ type: "decision", plugin: name, decision: "searched", enforced: true, call, details });
    if (found.lines.length === 0 && notes.length === 0) return found.none;
    return displayLines(found.lines.length === 0 ? [found.none] : found.lines, maxCharacters, notes);
  };

  const globTool: Tool = {
    name: globName,
    description: "Finds files by their names, the newest first.",
    parameters: globParameters,
    async execute(input, runtime, call) {
      const args = isObject(input) ? input : {};
      const test = typeof args.pattern === "string" ? pathTest(args.pattern, false) : undefined;
      if (test === undefined) return "The pattern is no glob: give one such as **/*.ts, of 500 characters at most.";
      const search = await begin(runtime, call);
      const folder = await resolvePath(search.visible, args.path);
      if (folder?.kind !== "folder") return nowhere;
      const found: { readonly path: string; readonly changed: number }[] = [];
      for await (const file of filesBelow(search.visible, folder.path, search.bounds)) {
        if (!test(folder.path === "" ? file : file.slice(folder.path.length + 1))) continue;
        const state = await stateBelow(search.visible.root, file);
        if (state?.isFile()) found.push({ path: file, changed: state.mtimeMs });
      }
      found.sort((a, b) => b.changed - a.changed || compare(a.path, b.path));
      const lines = found.slice(0, maxResults).map((file) => displayPath(file.path));
      const notes = found.length > maxResults ? [`${found.length - maxResults} more were found`] : [];
      return end(runtime, call, search, { lines, notes, none: "No files found" });
    },
  };

  const grepTool: Tool = {
    name: grepName,
    description: "Finds lines in files by a regular expression.",
    parameters: grepParameters,
    async execute(input, runtime, call) {
      const args = isObject(input) ? input : {};
      const { mode = "files" } = args;
      const pattern =
        typeof args.pattern === "string" ? expression(args.pattern, args.ignore_case === true) : undefined;
      if (pattern === undefined) {
        return "The pattern is no expression of RE2, which has no look-around and no back-references, or has more than 500 characters.";
      }
      if (!isMode(mode)) return "The mode is files, content or count.";
      const include = typeof args.include === "string" ? pathTest(args.include, true) : undefined;
      if (args.include !== undefined && include === undefined) return "What is to be included is no glob such as *.ts.";
      const search = await begin(runtime, call);
      const target = await resolvePath(search.visible, args.path);
      if (target === undefined) return nowhere;
      const { bounds, visible } = search;
      const files = target.kind === "file" ? only(target.path) : filesBelow(visible, target.path, bounds);
      const found = await grep(
        include === undefined ? files : those(files, include),
        { root: visible.root, pattern, mode, maxFileBytes, maxResults },
        bounds,
      );
      const notes = [
        ...(found.more ? ["more was found"] : []),
        ...(found.skipped > 0 ? [`not searched, as too large: ${found.skipped}`] : []),
      ];
      return end(runtime, call, search, { lines: found.lines, notes, none: "No matches found" });
    },
  };

  return definePlugin({
    name,
    settings: { hidden, ignored: ignore.length, maxResults, maxCharacters, maxFileBytes, maxEntries, timeout },
    tools: () => [globTool, grepTool],
  });
}

const checks = {
  root: text,
  hidden: flag,
  ignore: (value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : listOf(text)(value)?.replace(", not empty,", ""),
  maxResults: count,
  maxCharacters: count,
  maxFileBytes: count,
  maxEntries: count,
  timeout: time,
  globName: text,
  grepName: text,
  name: text,
};

interface Search {
  readonly bounds: Bounds;
  readonly visible: Visible;
}

interface Found {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly none: string;
}

function ignoring(glob: string): PathTest {
  const test = pathTest(glob, true);
  if (test === undefined) throw invalid("The option ignore of fileSearch() must be a list of globs.");
  return test;
}

const isMode = (mode: unknown): mode is GrepMode => mode === "files" || mode === "content" || mode === "count";

/**
 * Resolves a path from the model. Returns `undefined` if it does not exist or may not be seen, without a difference
 * between the two.
 */
async function resolvePath(
  visible: Visible,
  requestedPath: unknown = "/",
): Promise<{ readonly path: string; readonly kind: "folder" | "file" } | undefined> {
  const names = typeof requestedPath === "string" ? namesBelow(requestedPath) : undefined;
  const path = names?.join("/");
  if (path === undefined || (path !== "" && !isVisible(visible, path))) return undefined;
  const state = await stateBelow(visible.root, path);
  if (state?.isDirectory()) return { path, kind: "folder" };
  return state?.isFile() ? { path, kind: "file" } : undefined;
}

async function* only(path: string): AsyncGenerator<string> {
  yield path;
}

async function* those(paths: AsyncIterable<string>, test: PathTest): AsyncGenerator<string> {
  for await (const path of paths) if (test(path)) yield path;
}
