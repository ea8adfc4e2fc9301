import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { style } from "../page/style.js";

/** A file of the page. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const here = dirname(fileURLToPath(import.meta.url));
const javascript = "text/javascript; charset=utf-8";

/** The modules that the page imports by name, and the address at which each is served. */
export const imports = {
  preact: "/vendor/preact.mjs",
  "preact/hooks": "/vendor/hooks.mjs",
  "preact/jsx-runtime": "/vendor/jsx-runtime.mjs",
} as const;

/** The files of the page by their paths, read once: nothing else of the machine can be asked for. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const folder of ["page", "run"]) {
    for (const name of readdirSync(join(here, "..", folder))) {
      if (name.endsWith(".js")) assets.set(`/${folder}/${name}`, file(join(here, "..", folder, name), javascript));
    }
  }
  for (const [name, path] of Object.entries(imports))
    assets.set(path, file(fileURLToPath(import.meta.resolve(name)), javascript));
  assets.set("/style.css", { type: "text/css; charset=utf-8", body: Buffer.from(style) });
  return assets;
}

const file = (path: string, type: string): Asset => ({ type, body: readFileSync(path) });
