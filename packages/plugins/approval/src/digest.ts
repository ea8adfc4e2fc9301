import { ApprovalError } from "./errors.js";

const encoder = new TextEncoder();

/** The longest arguments that a person is shown, in characters of JSON. */
const maxLength = 65_536;

/** JSON with sorted keys: the same text for the same value, which is JSON already. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/**
 * A copy of a call's arguments, as JSON has them: what is shown, decided on and compared.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_REQUEST` for what is no JSON, or too long to be looked at.
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
      `The arguments cannot be shown to a person: they are no JSON, or longer than ${maxLength} characters. The call was not run.`,
    );
  }
  return JSON.parse(json);
}

/** SHA-256 of a value's canonical JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", encoder.encode(canonical(value)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A tool call as a decision is bound to it. */
export interface BoundCall {
  readonly runId: string;
  readonly toolName: string;
  readonly toolCallId: string;
  /** JSON. */
  readonly arguments: unknown;
}

/** The digest of a call, and the id of the request for its approval: the same in every process, and for no other call. */
export async function bind(call: BoundCall): Promise<{ readonly id: string; readonly digest: string }> {
  const { runId, toolName, toolCallId } = call;
  const digest = await digestOf({ tool: toolName, call: toolCallId, arguments: call.arguments });
  return { id: await digestOf([runId, digest]), digest };
}
