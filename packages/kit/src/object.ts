import { isObject } from "@suite/core/internal";

/** True if a value is an object with named fields: not null, and no array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
