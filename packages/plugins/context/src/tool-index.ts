import type { Tool } from "@suite/core";
import { queryOf, wordsOf } from "@suite/core/messages";
import { isObject } from "@suite/kit";
import MiniSearch from "minisearch";

/** The maximum number of characters read from a query or a tool description. Models and users write them. */
const mostCharacters = 4000;
/** The maximum number of cached indexes. An agent usually has the same tools in each round. */
const mostIndexes = 16;

/** Full-text indexes of tools: one for each list of them, made when it is first searched. */
export class ToolIndexes {
  readonly #indexes = new Map<string, MiniSearch>();

  /** The names of the tools that fit a query best, best first. */
  find(tools: readonly Tool[], query: string, limit: number): readonly string[] {
    const found = this.#indexOf(tools).search(queryOf(apart(query)), {
      boost: { name: 3 },
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    });
    return found.slice(0, limit).map(({ id }) => String(id));
  }

  #indexOf(tools: readonly Tool[]): MiniSearch {
    const key = JSON.stringify(tools.map(({ name, description }) => [name, description]));
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = new MiniSearch({
        fields: ["name", "description", "inputs"],
        idField: "name",
        tokenize: (text) => wordsOf(apart(text)),
      });
      index.addAll(
        tools.map(({ name, description = "", parameters }) => ({ name, description, inputs: inputsOf(parameters) })),
      );
      const [oldest] = this.#indexes.keys();
      if (this.#indexes.size >= mostIndexes && oldest !== undefined) this.#indexes.delete(oldest);
      this.#indexes.set(key, index);
    }
    return index;
  }
}

/** Separates words joined by case: `findOrder` becomes `find` and `Order`. */
const apart = (text: string): string => text.slice(0, mostCharacters).replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");

/** The names and descriptions of a tool's inputs. */
function inputsOf(parameters: Tool["parameters"]): string {
  const properties = isObject(parameters?.properties) ? parameters.properties : {};
  return Object.entries(properties)
    .map(([name, of]) => `${name} ${isObject(of) && typeof of.description === "string" ? of.description : ""}`)
    .join(" ");
}
