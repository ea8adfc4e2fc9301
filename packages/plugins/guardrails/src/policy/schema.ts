const names = { type: "array", minItems: 1, items: { type: "string", minLength: 1 } } as const;
const scalar = { type: ["string", "number", "boolean", "null"] } as const;
const length = { type: "integer", minimum: 0 } as const;
const message = { type: "string", minLength: 1 } as const;

/** The JSON Schema of tool policies (draft 2020-12), used by editors and by `suite-guardrails check`. */
export const toolPolicySchema: Readonly<Record<string, unknown>> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Tool policy of @suite/guardrails",
  type: "object",
  required: ["version"],
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    version: { const: 1 },
    default: { enum: ["allow", "deny"], description: "Applies to calls that no rule matches. Default: deny." },
    allow: { type: "array", items: { $ref: "#/$defs/rule" } },
    deny: { type: "array", items: { $ref: "#/$defs/rule" }, description: "Refuses, whatever allows." },
    rates: { type: "array", items: { $ref: "#/$defs/rate" } },
  },
  $defs: {
    rule: {
      type: "object",
      required: ["tools"],
      additionalProperties: false,
      properties: {
        tools: { ...names, description: "Names of tools; * matches any characters." },
        roles: names,
        arguments: {
          type: "object",
          minProperties: 1,
          additionalProperties: { $ref: "#/$defs/condition" },
          description: "Conditions by path: amount, customer.country, items[].price.",
        },
        message: { ...message, description: "The message for the model if the rule refuses a call." },
      },
    },
    condition: {
      type: "object",
      minProperties: 1,
      additionalProperties: false,
      properties: {
        const: scalar,
        enum: { type: "array", minItems: 1, items: scalar },
        minimum: { type: "number" },
        maximum: { type: "number" },
        minLength: length,
        maxLength: length,
        startsWith: { type: "string", minLength: 1 },
        endsWith: { type: "string", minLength: 1 },
        pattern: { type: "string", minLength: 1, maxLength: 2000, description: "An expression in RE2's syntax." },
        optional: { type: "boolean" },
      },
    },
    rate: {
      type: "object",
      required: ["tools", "calls", "per"],
      additionalProperties: false,
      properties: {
        tools: names,
        roles: names,
        calls: { type: "integer", minimum: 1 },
        per: { enum: ["run", "session", "user", "all"] },
        windowSeconds: { type: "integer", minimum: 1, maximum: 2_000_000 },
        message,
      },
    },
  },
};
