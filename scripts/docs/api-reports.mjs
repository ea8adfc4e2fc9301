/**
 * Writes one report of the public API for each published package to `etc/`, so that a change of it is seen in review.
 * With `--check` it writes nothing and exits with 1 if a report differs. Build the packages before.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { publishable, root } from "../workspaces.mjs";

const check = process.argv.includes("--check");
const etc = join(root, "etc");
const work = mkdtempSync(join(tmpdir(), "api-"));
const quiet = { default: { logLevel: "none" } };
const compilerOptions = {
  module: "nodenext",
  moduleResolution: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};

/** The configuration of one entry. @param {string} folder @param {string} types @param {string} name */
function configOf(folder, types, name) {
  return ExtractorConfig.prepare({
    configObjectFullPath: join(folder, "api-extractor.json"),
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: { enabled: true, reportFileName: name, reportFolder: work, reportTempFolder: join(work, "new") },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
        compilerMessageReporting: quiet,
      },
    },
  });
}

/** The report of a package: a heading and the declarations of each entry. @param {{ dir: string, manifest: import("../workspaces.mjs").Manifest }} workspace */
function reportOf({ dir, manifest }) {
  const folder = join(root, dir);
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, target]) =>
    typeof target === "object" && "types" in target ? [[path, join(folder, String(target.types))]] : [],
  );
  const configs = entries.map(([path, types], index) => ({ path, config: configOf(folder, types, `entry-${index}`) }));
  const [first] = configs;
  if (first === undefined) return undefined;
  const additionalEntryPoints = entries.map(([, types]) => types);
  const compilerState = CompilerState.create(first.config, { additionalEntryPoints });
  const sections = configs.map(({ path, config }) => {
    /** @type {string[]} */
    const errors = [];
    Extractor.invoke(config, {
      localBuild: true,
      compilerState,
      messageCallback: (message) => {
        if (message.logLevel === "error") errors.push(message.text);
        message.handled = true;
      },
    });
    if (errors.length > 0) throw new Error(`${manifest.name} ${path}: ${errors.join("; ")}`);
    const report = readFileSync(config.reportFilePath, "utf8");
    const declarations = report.slice(report.indexOf("```ts"), report.lastIndexOf("```") + 3);
    return `## ${manifest.name}${path.slice(1)}\n\n${declarations.replace(/^ *\/\/ \(undocumented\)\n/gm, "")}\n`;
  });
  return `# Public API of ${manifest.name}\n\nMade by \`npm run api\`. Do not edit.\n\n${sections.join("\n")}`;
}

mkdirSync(etc, { recursive: true });
try {
  const reports = new Map();
  for (const workspace of publishable()) {
    const report = reportOf(workspace);
    const file = `${workspace.manifest.name.replace("@suite/", "")}.api.md`;
    if (report !== undefined) reports.set(file, report);
  }
  for (const file of new Set([...reports.keys(), ...readdirSync(etc)])) {
    const path = join(etc, file);
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    const after = reports.get(file);
    if (before === after) continue;
    if (check) {
      console.error(`etc/${file} differs from the built package. Run \`npm run api\` and commit the result.`);
      process.exitCode = 1;
    } else if (after === undefined) rmSync(path);
    else writeFileSync(path, after);
  }
} finally {
  rmSync(work, { recursive: true });
}
