// Bundles each entry of a package into one file, for its tarball: the import of a package opens few files.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildSync } from "esbuild";
import { manifestOf, publishable, root } from "./workspaces.mjs";

/** Files of a package that no entry imports: a browser or a child process loads them by their paths. */
const loadedByPath = new Map([
  ["@suite/viewer", { copied: ["page", "run"], entries: [] }],
  ["@suite/cli", { copied: [], entries: ["doctor/canary/child"] }],
]);

/**
 * Writes a package as it is published: manifest, documents, declarations, and its bundled modules with source maps.
 * @param {string} dir the folder of the package, relative to the root. It must be built.
 * @param {string} destination
 */
export function stage(dir, destination) {
  const manifest = manifestOf(dir);
  const { copied, entries } = loadedByPath.get(manifest.name) ?? { copied: [], entries: [] };
  const from = join(root, dir);
  mkdirSync(destination, { recursive: true });
  const files = (manifest.files ?? []).filter((name) => name !== "dist" && !name.startsWith("!"));
  for (const name of ["package.json", "LICENSE", "README.md", ...files]) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(destination, name), { recursive: true });
  }
  cpSync(join(from, "dist"), join(destination, "dist"), {
    recursive: true,
    filter: (path) => isKept(relative(join(from, "dist"), path), copied),
  });
  const targets = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})]
    .map((target) => (typeof target === "string" ? target : target.default))
    .filter((target) => target.startsWith("./dist/"))
    .map((target) => target.slice("./dist/".length, -".js".length));
  // From its own folder, so that the source maps have paths inside of the package.
  const { outputFiles } = buildSync({
    entryPoints: [...new Set([...targets, ...entries])].map((name) => ({ in: sourceOf(from, name), out: name })),
    outdir: join(from, "dist"),
    write: false,
    absWorkingDir: from,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[hash]",
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: "es2023",
    sourcemap: true,
    logLevel: "error",
  });
  for (const { path, contents } of outputFiles) {
    const file = join(destination, relative(from, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
}

/** Modules are bundled anew. @param {string} path relative to `dist` @param {readonly string[]} copied */
const isKept = (path, copied) =>
  !path.endsWith(".tsbuildinfo") &&
  (!/\.js(\.map)?$/.test(path) || copied.some((folder) => path.startsWith(`${folder}/`)));

/** @param {string} from @param {string} name */
function sourceOf(from, name) {
  const file = [`${name}.ts`, `${name}.tsx`].find((each) => existsSync(join(from, "src", each)));
  if (file === undefined) throw new Error(`${from} has no source for the entry ${name}.`);
  return join("src", file);
}

// `npm run release` publishes the packages from their folders.
if (process.argv[1] === import.meta.filename) {
  for (const { dir } of publishable()) {
    const staged = join(root, dir, ".staged");
    stage(dir, staged);
    rmSync(join(root, dir, "dist"), { recursive: true });
    cpSync(join(staged, "dist"), join(root, dir, "dist"), { recursive: true });
    rmSync(staged, { recursive: true });
  }
}
