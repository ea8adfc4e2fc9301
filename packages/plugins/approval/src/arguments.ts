import { ApprovalError } from "./errors.js";

/** The maximum length of arguments shown to a person, in characters of JSON. */
const maxLength = 65_536;

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
