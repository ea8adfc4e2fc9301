import { workspaces } from "./scripts/workspaces.mjs";

/** Tests run on the sources: each public entry (`./dist/X.js` in `exports`) stands for its `src/X.ts`. */
function entriesToSources() {
  /** @type {Record<string, string>} */
  const mapper = {};
  for (const { dir, manifest } of workspaces()) {
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const file = typeof target === "string" ? target : target.default;
      if (!file.startsWith("./dist/")) continue;
      const specifier = manifest.name + subpath.slice(1);
      const source = file.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      mapper[`^${specifier.replaceAll(/[.\\/]/g, "\\$&")}$`] = `<rootDir>/${dir}/${source}`;
    }
  }
  return mapper;
}

export default {
  rootDir: import.meta.dirname,
  testEnvironment: "node",
  testMatch: ["**/test/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/fixtures/"],
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { ...entriesToSources(), "^(\\.{1,2}/.*)\\.js$": ["$1.js", "$1.ts"] },
  transform: {
    "\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2023", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
};
