import { readFile } from "node:fs/promises";
import { packageUrl } from "@suite/kit/package";

/** The version of this package. */
export async function version(): Promise<string> {
  const manifest = await readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
