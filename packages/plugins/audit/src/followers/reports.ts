import { emitWarning } from "../warnings.js";

/** Says what goes wrong: each time to a handler, or once of each kind as a warning. It never throws. */
export function reporter(onError: ((error: unknown) => void) | undefined): (error: unknown) => void {
  const said = new Set<unknown>();
  return (error) => {
    try {
      if (onError) return onError(error);
      const { code, name, message } = error as Partial<NodeJS.ErrnoException>;
      const kind = code ?? name;
      if (said.has(kind)) return;
      said.add(kind);
      emitWarning(`@suite/audit: ${message ?? String(error)}`);
    } catch {
      // A handler that fails must not end what it hears of.
    }
  };
}
