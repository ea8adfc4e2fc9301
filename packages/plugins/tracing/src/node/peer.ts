// As a namespace: the banner that bundles need declares a `createRequire` of its own.
import * as nodeModule from "node:module";

const load = nodeModule.createRequire(thisFile());

/** Returns this file, in which bundle it may be. Only one of both exists, and `typeof` is not reliable: webpack replaces it. */
function thisFile(): string {
  try {
    return __filename;
  } catch {
    return import.meta.url;
  }
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
