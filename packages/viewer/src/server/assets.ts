import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "@suite/kit";
import { packageUrl } from "@suite/kit/package";
import { style } from "../page/style.js";

/** A file of the page. */
export interface Asset {
  readonly type: string;
  /** Reads the file on demand, since most files are never requested. */
  readonly body: () => Buffer;
}

/** The files of the page. Other files of the machine cannot be requested. */
export interface Assets {
  /** The files by path. */
  readonly files: ReadonlyMap<string, Asset>;
  /** The paths of the modules by import name, as in an import map. */
  readonly imports: Readonly<Record<string, string>>;
  /** The paths of the modules that the page needs first, so that a browser need not discover them one by one. */
  readonly first: readonly string[];
}

const built = fileURLToPath(new URL("dist", packageUrl(import.meta.url)));
const { resolve } = createRequire(import.meta.url);
const javascript = "text/javascript; charset=utf-8";

const preact = {
  preact: "/vendor/preact.mjs",
  "preact/hooks": "/vendor/hooks.mjs",
  "preact/jsx-runtime": "/vendor/jsx-runtime.mjs",
} as const;

/** The modules that check proofs. The page loads them on demand. */
const proofs = {
  "@suite/audit/verify": "/vendor/audit/verify.js",
  "@noble/hashes/sha2.js": "/vendor/noble/sha2.js",
} as const;

/** The packages of the suite that the page and the proof modules import, with their manifests. */
const shared = [
  ["core", resolve("@suite/core/package.json")],
  ["kit", resolve("@suite/kit/package.json")],
] as const;

/** Returns the entries of a package, as its manifest exports them. */
function entriesOf([name, path]: (typeof shared)[number]): readonly (readonly [string, string])[] {
  const manifest = readFileSync(path, "utf8");
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, unknown>> };
  return Object.entries(exports).flatMap(([entry, target]) => {
    const file = isObject(target) && typeof target.default === "string" ? target.default : "";
    if (!file.startsWith("./dist/")) return [];
    return [[`@suite/${name}${entry.slice(1)}`, `/vendor/${name}/${file.slice(7)}`] as const];
  });
}

/** Reads the files of the page, once. Other files are not served. */
export function readAssets(): Assets {
  const files = new Map<string, Asset>();
  for (const folder of ["page", "run"]) scripts(files, `/${folder}`, join(built, folder));
  files.delete("/page/style.js");
  for (const [name, path] of Object.entries(preact)) files.set(path, script(resolve(name)));
  const first = [...files.keys()];
  const audit = dirname(resolve("@suite/audit/package.json"));
  scripts(files, "/vendor/audit", join(audit, "dist"));
  for (const [name, path] of shared) scripts(files, `/vendor/${name}`, join(dirname(path), "dist"));
  scripts(files, "/vendor/noble", dirname(createRequire(join(audit, "package.json")).resolve("@noble/hashes/sha2.js")));
  const css = Buffer.from(style);
  files.set("/style.css", { type: "text/css; charset=utf-8", body: () => css });
  return { files, first, imports: { ...preact, ...proofs, ...Object.fromEntries(shared.flatMap(entriesOf)) } };
}

/** Adds the scripts of a folder and its subfolders. */
function scripts(files: Map<string, Asset>, path: string, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) scripts(files, `${path}/${entry.name}`, join(folder, entry.name));
    else if (entry.name.endsWith(".js")) files.set(`${path}/${entry.name}`, script(join(folder, entry.name)));
  }
}

const script = (path: string): Asset => ({ type: javascript, body: () => readFileSync(path) });
