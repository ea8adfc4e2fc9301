/** Shorter values are not credentials, and hiding them would break words apart. */
const SHORTEST = 4;
const HIDDEN = "***";

/** Returns the parts of addresses and headers that must not appear in a log. */
export function secretsOf(addresses: readonly (string | undefined)[], headers: readonly string[]): readonly string[] {
  // Headers in variables are percent-encoded.
  const secrets = headers.flatMap((header) => [header, decoded(header)]);
  for (const address of addresses) {
    if (address === undefined) continue;
    if (!URL.canParse(address)) {
      secrets.push(address);
      continue;
    }
    const { username, password, search, searchParams } = new URL(address);
    secrets.push(username, password, decoded(username), decoded(password), search, ...searchParams.values());
  }
  // The longest first: one may be part of another.
  return [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** Replaces the secrets in a string. */
export const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
