import { PiiError } from "../errors.js";
import { tagLength, tagLetters } from "./tag.js";
import type { TokenId } from "./vault.js";

/** The failure of a vault, as an error of ours. */
export function failure(error: unknown): PiiError {
  if (PiiError.is(error)) return error;
  return new PiiError("ERR_PII_VAULT_FAILED", "The vault failed; its error is the cause of this one.", {
    cause: error,
  });
}

const tagForm = new RegExp(`^[${tagLetters}]{${tagLength}}$`);

/** Checks a vault's token: one of another form would never be found again. */
export function checked(id: TokenId, label: string): TokenId {
  const { number, tag } = id;
  if (id.label === label && Number.isInteger(number) && number > 0 && number < 10_000_000 && tagForm.test(tag))
    return id;
  throw new PiiError(
    "ERR_PII_VAULT_FAILED",
    "The vault returned an invalid token. A token has the passed label, a number from 1 to 9999999, and a tag of randomTag().",
  );
}
