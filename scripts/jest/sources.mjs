import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root, workspaces } from "../workspaces.mjs";

/** The options with which TypeScript becomes JavaScript in tests. @type {import("@swc/core").Options} */
export const swcOptions = {
  jsc: { target: "es2023", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
  module: { type: "es6" },
};

/** Tests run on the sources: each public entry (`./dist/X.js` in `exports`) stands for its `src/X.ts`, relative to the root. */
export function entriesToSources() {
  return workspaces().flatMap(({ dir, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
      const file = typeof target === "string" ? target : target.default;
      if (!file.startsWith("./dist/")) return [];
      return [
        {
          specifier: manifest.name + subpath.slice(1),
          source: join(dir, file.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
        },
      ];
    }),
  );
}

const require = createRequire(import.meta.url);
const folder = join(root, "node_modules/.cache/suite-tests");
const salt = JSON.stringify([require("@swc/core/package.json").version, swcOptions]);
mkdirSync(folder, { recursive: true });

/**
 * The JavaScript of a file, and where its source map lies. It is made once for each content: all processes share a cache on disk.
 *
 * @param {string} path
 */
export function compiled(path) {
  const source = readFileSync(path, "utf8");
  const file = join(
    folder,
    createHash("sha256")
      .update(JSON.stringify([salt, path, source]))
      .digest("hex"),
  );
  const map = `${file}.map`;
  // The map is written last: with it, the code is there.
  if (existsSync(map)) return { code: readFileSync(`${file}.js`, "utf8"), map };
  /** @type {typeof import("@swc/core")} */
  const { transformSync } = require("@swc/core");
  const made = transformSync(source, { ...swcOptions, filename: path, sourceMaps: true, swcrc: false });
  writeWhole(`${file}.js`, made.code);
  writeWhole(map, made.map ?? "{}");
  return { code: made.code, map };
}

/** Another process may write the same file. @param {string} path @param {string} text */
function writeWhole(path, text) {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, path);
}
