import { isRecord } from "@suite/kit";

/** A JSON object of a request, a response or an event. Its members are unchecked. */
export type Json = Readonly<Record<string, unknown>>;

/** True if a value is an object with named fields. */
export const isJson: (value: unknown) => value is Json = isRecord;

/** Returns a JSON object, or an empty object for another value. */
export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/** Returns the objects of a list. Returns an empty list if the value is not one. */
export const objectsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** Returns a string, or an empty string for another value. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns a number, or 0 for another value. */
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
