import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** An optional peer, loaded when it is needed and not before; undefined where it is not installed. */
export function peer<T>(name: string): T | undefined {
  try {
    return require(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
