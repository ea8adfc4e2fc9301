/** Shorter ones are no credentials, and hiding them would tear words apart. */
const SHORTEST = 4;
const HIDDEN = "***";

/** The parts of addresses and headers that nobody may read in a log. */
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

/** Text without the secrets in it. */
export const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
