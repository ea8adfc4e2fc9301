import { isRecord } from "@suite/kit";
import type { ToolSet } from "ai";
import type { UserTool } from "../framework.js";

/** The framework's symbols (major 7) for a tool that `toolSearch()` created, and for its options. */
const marks = {
  tool: Symbol.for("vercel.ai.toolSearch"),
  search: Symbol.for("vercel.ai.toolSearch.search"),
  maxResults: Symbol.for("vercel.ai.toolSearch.maxResults"),
} as const;

/** A match in the form that the model receives. */
interface Match {
  readonly name: string;
  readonly description?: string;
}

type Search = (options: {
  readonly query: string;
  readonly tools: readonly Match[];
}) => readonly string[] | PromiseLike<readonly string[]>;

/** Returns true for a tool that `toolSearch()` created. */
export const isToolSearch = (tool: UserTool): boolean => Reflect.get(tool, marks.tool) === true;

/**
 * Creates the `execute` of a tool that `toolSearch()` created. The framework would replace an `execute` that passes
 * through the layers with its default one. The copy of the tool is therefore an ordinary tool that performs the search.
 * A deferred tool that it finds becomes available in the next step.
 *
 * @param tools the tools of the turn, all copies
 * @param active returns the names of the active tools of this step, or `undefined` if all are active
 */
export function searchesIn(
  tool: UserTool,
  tools: ToolSet,
  active: () => readonly string[] | undefined,
): (input: unknown) => Promise<{ readonly tools: readonly Match[] }> {
  const search = Reflect.get(tool, marks.search) as Search | undefined;
  const most: unknown = Reflect.get(tool, marks.maxResults);
  const deferred = new Set<string>();
  return async (input) => {
    const query = isRecord(input) ? String(input.query) : "";
    const names = active();
    const candidates = Object.entries(tools).filter(([name, each]) => {
      if (Reflect.get(each, "deferLoading") === true) deferred.add(name);
      return deferred.has(name) && names?.includes(name) !== false;
    });
    const offered = candidates.map(([name, { description }]) => ({
      name,
      ...(typeof description === "string" && { description }),
    }));
    const ranked =
      search === undefined
        ? ranking(query, offered)
        : await search({ query, tools: offered.map((each) => ({ ...each })) });
    const known = new Map(offered.map((each) => [each.name, each]));
    const matches = [...new Set(ranked)]
      .flatMap((name) => known.get(name) ?? [])
      .slice(0, typeof most === "number" ? most : 5);
    for (const { name } of matches) Object.assign(tools[name] as object, { deferLoading: false });
    return { tools: matches };
  };
}

/**
 * Removes the marks from a copy of a tool that `toolSearch()` created, so that the framework treats it as an ordinary
 * tool.
 */
export function withoutMarks(copy: UserTool): UserTool {
  for (const mark of Object.values(marks)) Reflect.deleteProperty(copy, mark);
  return copy;
}

/**
 * Returns the names in the order of the framework: a word of the query counts twice in a tool's name, once in its
 * description.
 */
function ranking(query: string, tools: readonly Match[]): readonly string[] {
  const terms = [...new Set(wordsOf(query))];
  return tools
    .map(({ name, description = "" }) => {
      const inName = new Set(wordsOf(name));
      const inDescription = new Set(wordsOf(description));
      const score = terms.reduce(
        (sum, term) => sum + (inName.has(term) ? 2 : 0) + (inDescription.has(term) ? 1 : 0),
        0,
      );
      return { name, score };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
