/** A standard variable, trimmed and in lower case; undefined where the runtime has no environment, or it is not set. */
export function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name]?.trim().toLowerCase();
}
