// As a namespace: the banner that bundles need declares a `createRequire` of its own.
import * as nodeModule from "node:module";
import { isAbsolute } from "node:path";

const load = nodeModule.createRequire(thisFile());

/**
 * Returns this file, in any bundle. `typeof __filename` is not reliable, since webpack replaces it. In `node -e` there is a global
 * one that is not a path.
 */
function thisFile(): string {
  try {
    if (isAbsolute(__filename)) return __filename;
  } catch {} // a module has none
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
