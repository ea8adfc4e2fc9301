// Compiles the examples of the READMEs and guides, each as a module of its own, against the built packages.
//
//   node scripts/examples.mjs             prints the errors. A test fails if there is one
//
// Names that an example takes from the reader's program, and packages that are not installed here, are ignored. Imports
// of other examples of the same page count for each of them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

/**
 * Codes of the compiler for names without a declaration, for modules or types of others that are missing, and for values
 * whose type only the reader's program knows. 1108: `return` in the body of a function that is not shown.
 */
const ignored = new Set([1108, 2304, 2503, 2552, 7016, 18004, 18046]);

/** Codes of the compiler for values that JavaScript cannot narrow or type more exactly. */
const ignoredInJavaScript = new Set([2322, 2345, 2739, 2769]);

/** Returns the examples of a page with the number of their first line. @param {string} text */
export function examplesOf(text) {
  const found = [...text.matchAll(/^```(js|ts|tsx)\n([\s\S]*?)^```$/gm)];
  return found.map(({ index, 1: language = "js", 2: code = "" }) => ({
    language,
    code,
    line: text.slice(0, index).split("\n").length + 1,
  }));
}

/** The names that an import declares. @param {string} line */
function namesOf(line) {
  const [, clause = ""] = /^import (?:type )?([\s\S]*?) from /.exec(line) ?? [];
  return [...clause.matchAll(/(?:\* as )?(\w+)(?: as (\w+))?(?=[,\s}]|$)/g)]
    .map(([, name, alias]) => alias ?? name)
    .filter((name) => name !== "type");
}

const imports = /^import [^;]*? from "[^"]+";$/gm;

/** The examples of a page as modules. @param {string} text */
function modulesOf(text) {
  const examples = examplesOf(text);
  const lines = new Set(examples.flatMap(({ code }) => code.match(imports) ?? []));
  // The first program with the suite, and one without it before, run in tests: see integration-tests/readme.ts.
  const runs = examples.findIndex(({ code }) => /from "@suite\//.test(code));
  return examples.map((example, index) => {
    if (index <= runs) return { ...example, head: 0, source: "export {};\n" };
    const { code } = example;
    const added = [...lines].flatMap((line) => {
      const names = namesOf(line).filter((name) => name !== undefined);
      const [, from = ""] = / from ("[^"]+");$/.exec(line) ?? [];
      return names
        .filter((name) => new RegExp(`\\b${name}\\b`).test(code))
        .filter((name) => !new RegExp(`\\b(?:import|const|let|function|class)\\b[^;=(]*\\b${name}\\b`).test(code))
        .map((name) =>
          /\* as /.test(line)
            ? `import * as ${name} from ${from};`
            : new RegExp(`\\{[^}]*\\b${name}\\b`).test(line)
              ? `import { ${/(\w+) as /.exec(line)?.[1] && line.includes(` as ${name}`) ? `${new RegExp(`(\\w+) as ${name}\\b`).exec(line)?.[1]} as ${name}` : name} } from ${from};`
              : `import ${name} from ${from};`,
        );
    });
    const unique = [...new Map(added.map((line) => [namesOf(line)[0], line])).values()];
    return {
      ...example,
      head: unique.length,
      source: `${unique.map((line) => `${line}\n`).join("")}${code}export {};\n`,
    };
  });
}

/**
 * Compiles the examples of pages.
 *
 * @param {readonly string[]} pages paths relative to the root
 * @returns {readonly string[]} the errors, with the page and the line
 */
export function errorsIn(pages) {
  mkdirSync(join(root, "integration-tests/.examples"), { recursive: true });
  const folder = mkdtempSync(join(root, "integration-tests/.examples", "run-"));
  try {
    /** @type {Map<string, { readonly page: string, readonly offset: number }>} */
    const places = new Map();
    for (const [at, page] of pages.entries()) {
      for (const [index, { language, source, line, head }] of modulesOf(
        readFileSync(join(root, page), "utf8"),
      ).entries()) {
        const file = `page${at}-${index}.${language}`;
        places.set(file, { page, offset: line - head - 1 });
        writeFileSync(join(folder, file), source);
      }
    }
    const compilerOptions = {
      target: "es2024",
      module: "nodenext",
      noEmit: true,
      allowJs: true,
      checkJs: true,
      strict: false,
      lib: ["es2024"],
      skipLibCheck: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["page*"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    if (stderr !== "") throw new Error(stderr);
    return stdout.split("\n").flatMap((each) => {
      const [, file = "", line = "", code = "", message = ""] =
        /^(\S+)\((\d+),\d+\): error TS(\d+): (.*)$/.exec(each) ?? [];
      const place = places.get(file);
      if (ignored.has(Number(code)) || (code === "2307" && !message.includes("@suite/"))) return [];
      if (file.endsWith(".js") && ignoredInJavaScript.has(Number(code))) return [];
      if (code === "2339" && message.includes("on type 'AgentResult<")) return [];
      if (place === undefined) return /^\S.* error |^error/.test(each) ? [each] : [];
      return [`${place.page}:${place.offset + Number(line)}: ${message} (${code})`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const errors = errorsIn(process.argv.slice(2));
  for (const each of errors) console.log(each);
  process.exitCode = errors.length === 0 ? 0 : 1;
}
