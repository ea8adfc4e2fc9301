import { checked, failure } from "./answers.js";
import { AsyncTokens } from "./async-tokens.js";
import type { Tokens } from "./tokens.js";
import type { AsyncVault, Vault, VaultScope } from "./vault.js";

/** Returns the tokens of a session and user. */
export function tokensOf(vault: Vault | AsyncVault, scope: VaultScope): Tokens {
  if (vault.async === true) return new AsyncTokens(vault, scope);
  const { session, user } = scope;
  return {
    id: ({ label, value }) => attempt(() => checked(vault.id(session, label, value, user), label)),
    value: (id) => attempt(() => vault.value(session, id, user)),
    prepare: () => undefined,
    trial: false,
    erase: () => attempt(() => vault.erase(session, user)),
  };
}

function attempt<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw failure(error);
  }
}
