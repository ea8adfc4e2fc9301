/** Keywords that the API refuses in strict mode. */
const refused: ReadonlySet<string> = new Set([
  "default",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "prefixItems",
  "contains",
  "dependentRequired",
  "dependentSchemas",
]);

/** Keywords that contain schemas by name, and keywords that contain values. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
const literal: ReadonlySet<string> = new Set(["const", "enum", "examples", "required"]);

/**
 * True if the API supports strict mode for the schema: all objects are closed and require all their properties. The API
 * refuses other schemas in strict mode. Without strict mode, the model still receives the schema.
 */
export function fitsStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(fitsStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === "object" || properties !== undefined) {
    if (additionalProperties !== false) return false;
    const listed = Array.isArray(required) ? required : [];
    if (!Object.keys(properties ?? {}).every((name) => listed.includes(name))) return false;
  }
  return Object.entries(schema).every(([key, value]) => {
    if (refused.has(key)) return false;
    if (literal.has(key)) return true;
    return fitsStrict(named.has(key) ? Object.values(value ?? {}) : value);
  });
}
