import { type Schema, Validator } from "@cfworker/json-schema";
import { isStandardSchema, schemaChecker } from "@suite/kit/schema";

/** The result of a schema: one with issues is a refusal. */
interface Validated {
  readonly issues?: readonly unknown[] | undefined;
}

/** A schema of any library that follows Standard Schema (Zod, Valibot, ArkType), as far as it is used here. */
export interface StandardSchema {
  readonly "~standard": {
    validate(value: unknown): Validated | PromiseLike<Validated>;
  };
}

/** A schema of edited arguments: JSON Schema (2020-12), or a Standard Schema. */
export type ArgsSchema = Readonly<Record<string, unknown>> | StandardSchema;

export const isStandard = (schema: ArgsSchema): schema is StandardSchema => isStandardSchema(schema);

const check = schemaChecker((schema) => new Validator(schema as Schema, "2020-12", true));

/** Returns `true` if the schema accepts the arguments, or if it is absent. */
export const fits = async (schema: ArgsSchema | undefined, args: unknown): Promise<boolean> =>
  schema === undefined || "value" in (await check(schema, args));
