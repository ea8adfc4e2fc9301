import protobuf from "protobufjs/light.js";

/** Deeper parts are not checked, since they are never read. */
const DEEPEST = 100;

/**
 * Returns true if a JSON value is a message of that type by the JSON mapping of protobuf: lists, objects, strings and
 * numbers in the right places. Unknown members are ignored, and null counts as absent.
 */
export function isMessage(type: protobuf.Type, value: unknown, depth = 0): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (depth > DEEPEST) return true;
  for (const field of type.fieldsArray) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[field.name];
    if (member === undefined || member === null) continue;
    if (!field.repeated) {
      if (!isValue(field, member, depth)) return false;
    } else if (!Array.isArray(member) || !member.every((each) => each === null || isValue(field, each, depth)))
      return false;
  }
  return true;
}

function isValue({ resolvedType, type }: protobuf.Field, value: unknown, depth: number): boolean {
  if (resolvedType instanceof protobuf.Type) return isMessage(resolvedType, value, depth + 1);
  switch (type) {
    case "string":
    case "bytes":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int32":
      // An enumeration: a number, or a name of it.
      return typeof value === "number" || typeof value === "string";
    case "double":
      return typeof value === "number" || (typeof value === "string" && isNumber(value));
    default:
      return typeof value === "number" || (typeof value === "string" && /^-?\d{1,20}$/.test(value));
  }
}

const isNumber = (text: string): boolean =>
  ["NaN", "Infinity", "-Infinity"].includes(text) || (text.trim() !== "" && !Number.isNaN(Number(text)));
