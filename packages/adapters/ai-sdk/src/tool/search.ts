import type { ToolSet } from "ai";
import { isRecord, type UserTool } from "../framework.js";

/** The names by which the framework (major 7) knows the tool that `toolSearch()` made, and its options. */
const marks = {
  tool: Symbol.for("vercel.ai.toolSearch"),
  search: Symbol.for("vercel.ai.toolSearch.search"),
  maxResults: Symbol.for("vercel.ai.toolSearch.maxResults"),
} as const;

/** A match, as the model is told of it. */
interface Match {
  readonly name: string;
  readonly description?: string;
}

type Search = (options: {
  readonly query: string;
  readonly tools: readonly Match[];
}) => readonly string[] | PromiseLike<readonly string[]>;

/** Returns true for a tool that `toolSearch()` made. */
export const isToolSearch = (tool: UserTool): boolean => Reflect.get(tool, marks.tool) === true;

/**
 * The `execute` of a tool that `toolSearch()` made. The framework would put its own in the place of the one that goes through the
 * layers, so the copy of the tool is an ordinary one for it, and does the search itself: the framework offers a deferred tool from the
 * step on in which it is deferred no more.
 *
 * @param tools the tools of the turn, all copies.
 * @param active returns the names of the tools that are active in this step, or `undefined` if all are.
 */
export function searchesIn(
  tool: UserTool,
  tools: ToolSet,
  active: () => readonly string[] | undefined,
): (input: unknown) => Promise<{ readonly tools: readonly Match[] }> {
  const own = Reflect.get(tool, marks.search) as Search | undefined;
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
      own === undefined ? ranking(query, offered) : await own({ query, tools: offered.map((each) => ({ ...each })) });
    const known = new Map(offered.map((each) => [each.name, each]));
    const matches = [...new Set(ranked)]
      .flatMap((name) => known.get(name) ?? [])
      .slice(0, typeof most === "number" ? most : 5);
    for (const { name } of matches) Object.assign(tools[name] as object, { deferLoading: false });
    return { tools: matches };
  };
}

/** A copy of a tool that `toolSearch()` made, which the framework takes for an ordinary one. */
export function withoutMarks(copy: UserTool): UserTool {
  for (const mark of Object.values(marks)) Reflect.deleteProperty(copy, mark);
  return copy;
}

/** The names in the framework's own order: words of the query in a tool's name count twice, those in its description once. */
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
