import { type Schema, Validator } from "@cfworker/json-schema";

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

export const isStandard = (schema: ArgsSchema): schema is StandardSchema => "~standard" in schema;

/** Whether arguments fit a schema. */
export async function fits(schema: ArgsSchema | undefined, args: unknown): Promise<boolean> {
  if (schema === undefined) return true;
  if (isStandard(schema)) return (await schema["~standard"].validate(args)).issues === undefined;
  return new Validator(schema as Schema, "2020-12", true).validate(args).valid;
}
