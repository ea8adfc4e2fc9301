import { checked, failure } from "./answers.js";
import { AsyncTokens } from "./async-tokens.js";
import type { Tokens } from "./tokens.js";
import type { AsyncVault, Vault } from "./vault.js";

/** The tokens of a session. */
export function tokensOf(vault: Vault | AsyncVault, session: string): Tokens {
  if (vault.async === true) return new AsyncTokens(vault, session);
  return {
    id: ({ label, value }) => attempt(() => checked(vault.id(session, label, value), label)),
    value: (id) => attempt(() => vault.value(session, id)),
    prepare: () => undefined,
    trial: false,
    erase: () => attempt(() => vault.erase(session)),
  };
}

function attempt<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw failure(error);
  }
}
