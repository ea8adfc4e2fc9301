import { isRecord } from "@suite/kit";
import { isLabel } from "../../messages/metadata.js";

/** The fields of a chunk that are not parts, with LangChain's names. */
export type Fields = Readonly<Record<string, unknown>>;

/** Text in a field of a chunk. LangChain joins it with the text of the same field in other chunks. */
export interface FieldText {
  /** The path of the field, with the indices of lists. */
  readonly key: string;
  readonly content: string;
  /** Returns the fields of a chunk with this text instead. */
  fieldsWith(content: string): Fields;
}

/** Fields without their strings. `rest` is `undefined` if nothing else is left. */
export interface SeparatedFields {
  readonly texts: readonly FieldText[];
  readonly rest: Fields | undefined;
}

/** The maximum depth that is searched. Providers do not nest deeper, and deeper values are unchanged. */
const MAX_DEPTH = 8;

/** Names of values that always arrive whole. */
const completeValues: ReadonlySet<string> = new Set(["tool_outputs", "parsed", "logprobs", "usage"]);

/**
 * Separates the strings that may continue in another chunk from the other fields.
 *
 * @param takes returns true for the keys of the strings to take.
 */
export function separate(fields: Fields, takes: (key: string) => boolean): SeparatedFields {
  const texts: FieldText[] = [];
  const rest = withoutTexts(fields, "", (inner) => inner, 0);
  return texts.length === 0 ? { texts, rest: fields } : { texts, rest: hasMoreContent(rest) ? rest : undefined };

  function withoutTexts(from: Fields, path: string, put: (inner: Fields) => Fields, depth: number): Fields {
    const remaining: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(from)) {
      const key = `${path}.${name}`;
      const at = (inner: unknown): Fields => put({ ...structureOf(from), [name]: inner });
      if (typeof value === "string" && value !== "" && !isLabel(name) && takes(key)) {
        texts.push({ key, content: value, fieldsWith: at });
      } else if (depth === MAX_DEPTH || completeValues.has(name)) remaining[name] = value;
      else if (isRecord(value)) remaining[name] = withoutTexts(value, key, at, depth + 1);
      else if (Array.isArray(value)) {
        remaining[name] = value.map((item: unknown) => {
          const which = isRecord(item) ? (item.index ?? item.id) : undefined;
          // LangChain joins only items with an index or id.
          if (!isRecord(item) || which === undefined) return item;
          return withoutTexts(item, `${key}[${String(which)}]`, (inner) => at([inner]), depth + 1);
        });
      } else remaining[name] = value;
    }
    return remaining;
  }
}

/** Returns the members of a block that LangChain uses to join blocks. */
const structureOf = ({ type, index }: Fields): Fields => ({
  ...(type !== undefined && { type }),
  ...(index !== undefined && { index }),
});

function hasMoreContent(value: unknown, name = ""): boolean {
  if (Array.isArray(value)) return value.some((item) => hasMoreContent(item));
  if (isRecord(value)) return Object.entries(value).some(([key, inner]) => hasMoreContent(inner, key));
  return value !== undefined && name !== "type" && name !== "index";
}

/** True if a value contains token probabilities, which repeat the text token by token. */
export function hasLogprobs(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > 2 * MAX_DEPTH) return false;
  return Object.entries(value).some(
    ([name, inner]) => (name === "logprobs" && inner != null) || hasLogprobs(inner, depth + 1),
  );
}

/** Returns a value without token probabilities, and without values that are too deep to be searched. */
export function withoutLogprobs<T>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null) return value;
  if (depth > 2 * MAX_DEPTH) return undefined as T;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutLogprobs(item, depth + 1)) as T;
  const remaining = Object.entries(value).filter(([name]) => name !== "logprobs");
  return Object.fromEntries(remaining.map(([name, inner]) => [name, withoutLogprobs(inner, depth + 1)])) as T;
}
