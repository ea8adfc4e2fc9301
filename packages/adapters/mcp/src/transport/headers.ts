import { fromBase64, isRecord, toBase64 } from "@suite/kit";
import { McpAdapterError } from "../errors.js";
import type { Params, TransportSendOptions } from "../protocol.js";

/** The prefix of headers that repeat arguments of a tool, in the protocol of 2026-07-28. */
const prefix = "mcp-param-";

/**
 * Returns the options with headers that repeat the changed arguments. The client wrote the headers before the layers
 * changed the arguments. Those headers would still contain a redacted value, and the server would refuse the request.
 *
 * @throws McpAdapterError `ERR_MCP_HEADER` if it is unknown which argument a header repeats.
 */
export function mirrored(
  options: TransportSendOptions | undefined,
  { arguments: before }: Params,
  { arguments: after }: Params,
): TransportSendOptions | undefined {
  if (options?.headers === undefined || before === after) return options;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers)) {
    const current = name.toLowerCase().startsWith(prefix) ? mirroredValue(name, value, before, after) : value;
    if (current !== undefined) headers[name] = current;
  }
  return { ...options, headers };
}

function mirroredValue(name: string, header: string, before: unknown, after: unknown): string | undefined {
  const found = [...copies(decoded(header), before, after)];
  const named = found.filter(({ key }) => key.toLowerCase() === name.slice(prefix.length).toLowerCase());
  const values = new Set((named.length > 0 ? named : found).map(({ value }) => value));
  if (values.size === 1) return encoded([...values][0]);
  throw new McpAdapterError(
    "ERR_MCP_HEADER",
    `A plugin changed arguments of a tool, and it is unknown which of them the header ${name} mirrors. ` +
      "Exclude the tool from the plugin, or name the argument like its header.",
  );
}

/** The maximum depth of an argument that is searched. */
const deepest = 32;

/** Finds the arguments with this value, and their values after the layers. */
function* copies(
  text: string,
  before: unknown,
  after: unknown,
  depth = 0,
): Generator<{ readonly key: string; readonly value: string | undefined }> {
  if (!isRecord(before) || depth > deepest) return;
  for (const [key, value] of Object.entries(before)) {
    const changed = isRecord(after) ? after[key] : undefined;
    if (textOf(value) === text) yield { key, value: textOf(changed) };
    yield* copies(text, value, changed, depth + 1);
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;

// The specification's form for values that a header cannot contain.
const [opening, closing] = ["=?base64?", "?="];

function decoded(header: string): string {
  if (!header.startsWith(opening) || !header.endsWith(closing)) return header;
  const bytes = fromBase64(header.slice(opening.length, -closing.length));
  return bytes === undefined ? header : new TextDecoder().decode(bytes);
}

function encoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const unencoded = text !== "" && text === text.trim() && /^[\t\x20-\x7e]*$/.test(text) && !text.startsWith(opening);
  return unencoded ? text : `${opening}${toBase64(new TextEncoder().encode(text))}${closing}`;
}
