import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "node_modules");

/** A runtime's binary, from its package for this platform: of a scope, npm installs that one alone. */
function binary(scope: string, path: string): string {
  const folder = join(packages, scope);
  const platform = existsSync(folder) ? readdirSync(folder)[0] : undefined;
  if (platform === undefined)
    throw new Error(`${scope} has no package for this platform, or "npm ci" did not run here.`);
  return join(folder, platform, path);
}

export const node24 = (): string => join(packages, ".bin/node");
export const bun = (): string => binary("@oven", "bin/bun");
export const deno = (): string => binary("@deno", "deno");
export const workerd = (): string => binary("@cloudflare", "bin/workerd");
