import { checked, failure } from "./answers.js";
import { AsyncTokens } from "./async-tokens.js";
import type { Tokens } from "./tokens.js";
import type { AsyncVault, Vault, VaultScope } from "./vault.js";

/** Returns the tokens of a session and user. */
export function tokensOf(vault: Vault | AsyncVault, scope: VaultScope): Tokens {
  if (vault.async === true) return new AsyncTokens(vault, scope);
  // The session is read for each call: it changes if the user is erased during the run.
  return {
    id: ({ label, value }) => attempt(() => checked(vault.id(scope.session, label, value, scope.user), label)),
    value: (id) => attempt(() => vault.value(scope.session, id, scope.user)),
    prepare: () => undefined,
    collects: false,
    erase: () => attempt(() => vault.erase(scope.session, scope.user)),
  };
}

function attempt<T>(request: () => T): T {
  try {
    return request();
  } catch (error) {
    throw failure(error);
  }
}
