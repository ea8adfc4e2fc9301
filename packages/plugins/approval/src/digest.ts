import { ApprovalError } from "./errors.js";

const encoder = new TextEncoder();

/** The maximum length of arguments shown to a person, in characters of JSON. */
const maxLength = 65_536;

/** Returns JSON with sorted keys, so that equal values give equal strings. The value must be JSON. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/**
 * Copies a call's arguments as JSON. The copy is shown, decided on and compared.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_REQUEST` if the arguments are not JSON, or too long to review
 */
export function argumentsOf(input: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(input === undefined ? {} : input);
  } catch {
    json = undefined;
  }
  if (json === undefined || json.length > maxLength) {
    throw new ApprovalError(
      "ERR_APPROVAL_REQUEST",
      `The arguments cannot be shown to a person: they are not JSON, or are longer than ${maxLength} characters. The call was not run.`,
    );
  }
  return JSON.parse(json);
}

/** Returns the SHA-256 of a value's canonical JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", encoder.encode(canonical(value)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The parts of a tool call that a decision is bound to. */
export interface BoundCall {
  readonly runId: string;
  readonly toolName: string;
  readonly toolCallId: string;
  /** JSON. */
  readonly arguments: unknown;
}

/**
 * Returns the digest of a call and the id of its approval request. Both are the same in every process and unique to the
 * call.
 */
export async function bind(call: BoundCall): Promise<{ readonly id: string; readonly digest: string }> {
  const { runId, toolName, toolCallId } = call;
  const digest = await digestOf({ tool: toolName, call: toolCallId, arguments: call.arguments });
  return { id: await digestOf([runId, digest]), digest };
}
