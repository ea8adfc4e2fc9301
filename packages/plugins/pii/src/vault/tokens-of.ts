import { checked, failure } from "./answers.js";
import { LaterTokens } from "./later-tokens.js";
import type { Tokens } from "./tokens.js";
import type { LaterVault, Vault } from "./vault.js";

/** The tokens of a session. */
export function tokensOf(vault: Vault | LaterVault, session: string): Tokens {
  if (vault.later === true) return new LaterTokens(vault, session);
  return {
    id: ({ label, value }) => attempt(() => checked(vault.id(session, label, value), label)),
    value: (id) => attempt(() => vault.value(session, id)),
    prepare: () => undefined,
    looking: false,
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
