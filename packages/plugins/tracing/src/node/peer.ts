// Imported as a namespace: the banner that bundles need declares `createRequire` itself.
import * as nodeModule from "node:module";
import { isAbsolute } from "node:path";

const load = nodeModule.createRequire(thisFile());

/**
 * Returns the path or URL of this file, in any bundle. `typeof __filename` is not reliable, since webpack replaces it.
 * `node -e` has a global one that is not a path.
 */
function thisFile(): string {
  try {
    if (isAbsolute(__filename)) return __filename;
  } catch {} // undeclared in a module
  return import.meta.url;
}

/** Loads an optional peer. Returns `undefined` if it is not installed. */
export function peer<T>(name: string): T | undefined {
  try {
    return load(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
