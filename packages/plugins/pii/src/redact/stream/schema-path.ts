type Schema = Readonly<Record<string, unknown>>;

/** An object or array that is open: the schemas it may have, and how many elements came. */
interface Open {
  readonly schemas: readonly Schema[];
  readonly array: boolean;
  index: number;
}

/** Deeper, and of more alternatives, nothing is known. */
const deepest = 200;
const mostSchemas = 64;

/** Follows JSON text through its JSON Schema, to find the types that may replace a value. */
export class SchemaPath {
  readonly #root: unknown;
  readonly #open: Open[] = [];
  /** The schemas that the next value may be of. */
  #next: readonly Schema[];
  #deeper = 0;

  constructor(root: unknown) {
    this.#root = root;
    this.#next = this.#resolve([root]);
  }

  /** Handles a character outside of values. `name` is the string before it. */
  mark(character: string, name: string): void {
    const open = this.#open.at(-1);
    if (character === "{" || character === "[") this.#begin(character === "[");
    else if (character === "}" || character === "]") this.#end();
    else if (open === undefined || this.#deeper > 0) return;
    else if (character === ":") this.#next = this.#property(open.schemas, name);
    else if (character === "," && open.array) {
      open.index++;
      this.#next = this.#element(open);
    }
  }

  /** Returns the replacement for a number if only a number is allowed, or `undefined` if a string is allowed. */
  get numeral(): string | undefined {
    if (this.#deeper > 0 || this.#next.length === 0) return undefined;
    const types = this.#next.flatMap(({ type = "string" }) => type);
    if (types.includes("string")) return undefined;
    return types.includes("null") ? "null" : "0";
  }

  #begin(array: boolean): void {
    if (this.#open.length >= deepest) {
      this.#deeper++;
      return;
    }
    const open = { schemas: this.#next, array, index: 0 };
    this.#open.push(open);
    this.#next = array ? this.#element(open) : [];
  }

  #end(): void {
    if (this.#deeper > 0) this.#deeper--;
    else this.#open.pop();
  }

  #property(schemas: readonly Schema[], name: string): readonly Schema[] {
    return this.#resolve(
      schemas.map(({ properties, additionalProperties }) =>
        isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
      ),
    );
  }

  #element({ schemas, index }: Open): readonly Schema[] {
    return this.#resolve(
      schemas.map(({ prefixItems, items }) =>
        Array.isArray(prefixItems) && index in prefixItems ? prefixItems[index] : items,
      ),
    );
  }

  /** The schemas themselves: with references followed, and alternatives side by side. */
  #resolve(schemas: readonly unknown[]): readonly Schema[] {
    const queue = [...schemas];
    const resolved: Schema[] = [];
    for (const schema of queue) {
      if (queue.length > mostSchemas) return [];
      if (!isSchema(schema)) continue;
      const { $ref, anyOf, oneOf, allOf, type, properties } = schema;
      const others = [anyOf, oneOf, allOf].flatMap((list: unknown) => (Array.isArray(list) ? (list as unknown[]) : []));
      if (typeof $ref === "string") others.push(this.#at($ref));
      queue.push(...others);
      if (others.length === 0 || type !== undefined || properties !== undefined) resolved.push(schema);
    }
    return resolved;
  }

  #at(pointer: string): unknown {
    if (!pointer.startsWith("#")) return undefined;
    let at: unknown = this.#root;
    for (const step of pointer.split("/").slice(1, deepest)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    return at;
  }
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
