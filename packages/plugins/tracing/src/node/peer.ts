// Without a name of its own: the banner that bundles need declares `createRequire` too.
import * as nodeModule from "node:module";

/** Loads as from this file. In a bundle that is CommonJS only `__filename` exists. */
const load = nodeModule.createRequire(typeof __filename === "string" ? __filename : import.meta.url);

/** Loads an optional peer. Returns `undefined` if it is not installed. */
export function peer<T>(name: string): T | undefined {
  try {
    return load(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
