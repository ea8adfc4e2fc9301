/**
 * Returns a standard variable, trimmed and in lower case. Returns `undefined` if it is not set or the runtime has no
 * environment.
 */
export function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name]?.trim().toLowerCase();
}
