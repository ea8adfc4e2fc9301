import { emitWarning } from "../warnings.js";

/** Creates a function that reports errors: each one to the handler, or each kind once as a warning. It never throws. */
export function reporter(onError: ((error: unknown) => void) | undefined): (error: unknown) => void {
  const said = new Set<unknown>();
  return (error) => {
    try {
      if (onError) return onError(error);
      const { code, name, message } = error as Partial<NodeJS.ErrnoException>;
      const kind = code ?? name;
      if (said.has(kind)) return;
      said.add(kind);
      emitWarning(`@suite/audit-followers: ${message ?? String(error)}`);
    } catch {
      // A failing handler must not end the follower.
    }
  };
}
