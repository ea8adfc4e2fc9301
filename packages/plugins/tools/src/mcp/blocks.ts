import { isObject } from "@suite/kit";

/** A block of a result, with the fields that are used here. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource"; readonly resource: Resource }
  | { readonly type: "resource_link"; readonly uri: string };

type Resource = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** The result of a tool call. */
export interface CallResult {
  readonly content: readonly Block[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Reads the result of a tool call. Returns `undefined` if it does not conform to the protocol. */
export function callResultIn(value: unknown): CallResult | undefined {
  if (!isObject(value)) return undefined;
  const { content = [], isError } = value;
  if (!Array.isArray(content) || !content.every(isBlock)) return undefined;
  return isError === undefined || typeof isError === "boolean" ? { ...value, content } : undefined;
}

const strings = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof value[name as keyof typeof value] === "string");

function isBlock(value: unknown): value is Block {
  if (!isObject(value)) return false;
  switch (value.type) {
    case "text":
      return strings(value, "text");
    case "image":
    case "audio":
      return strings(value, "data", "mimeType");
    case "resource_link":
      return strings(value, "uri", "name");
    case "resource":
      return isResource(value.resource);
    default:
      return false;
  }
}

const isResource = (value: unknown): boolean =>
  isObject(value) &&
  strings(value, "uri") &&
  (strings(value, "text") || strings(value, "blob")) &&
  (value.mimeType === undefined || strings(value, "mimeType"));
