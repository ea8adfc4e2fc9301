/** Names of values that a request or a script contains: the server sends them unchanged. */
const users: ReadonlySet<string> = new Set(["input", "metadata", "text", "tool_choice", "tools"]);

const unknown = { note: "no client knows this field", list: [1, null], flag: false };

/**
 * Adds the unknown field `x_testkit` to each object of a body or an event, as providers add fields that the versions of clients in
 * use do not know.
 *
 * @param value JSON without cycles.
 */
export function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== "object" || value === null) return value;
  // A client may read a table of counts as one, such as the details of the usage. Providers add counts there.
  const values = Object.values(value);
  const counts = values.length > 0 && values.every((inner) => typeof inner === "number");
  const fields = Object.entries(value).map(([key, inner]) => [key, users.has(key) ? inner : withUnknownFields(inner)]);
  return { ...Object.fromEntries(fields), x_testkit: counts ? 3 : unknown };
}
