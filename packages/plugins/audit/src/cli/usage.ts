import { parseArgs } from "node:util";

export const usage = `suite-audit verify DIR [--key FILE] [--anchor FILE]...   was anything changed?
suite-audit tail DIR [--lines N]                         the last records, oldest first (10)
suite-audit keygen FILE [--name NAME]                    a signing key in FILE, its public key in FILE.pub

--key     public key from elsewhere than DIR; without it, the one in DIR, which proves less
--anchor  a checkpoint that was kept elsewhere; without one, commits cut off at the end cannot be seen

Exit codes: 0 nothing wrong, 1 the log has a problem, 2 the command could not be run.`;

/** What was asked makes no sense. */
export class UsageError extends Error {}

/** The one positional argument, and the options. */
export function parse(args: readonly string[], options: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(options.map((name) => [name, { type: "string", multiple: true } as const])),
    });
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError("One path was expected.");
    const all = (name: string) => (values[name] as string[] | undefined) ?? [];
    return { path, all, last: (name: string) => all(name).at(-1) };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}
