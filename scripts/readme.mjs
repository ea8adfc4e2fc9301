// The programs of a README, run as they stand in the process of a test.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The blocks of code in a text, in some languages (`js|ts`). @param {string} text @param {string} languages */
export const blocks = (text, languages) =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);

/** Matches the warning that the first run of an audit log prints. READMEs describe it in words. */
export const KEY = /\(node:\d+\) AuditWarning: A signing key was created:.*\n(?:.*--trace-warnings.*\n)?/;

/** Printed text without what differs from run to run: times, and counts of tokens. @param {string} printed */
export const shape = (printed) =>
  printed
    .replaceAll(/[\d.]+(ms|s)\b/g, "T")
    .replaceAll(/\d+→\d+/g, "N")
    .trim();

/**
 * The first two programs of a package's README, and the first text that it shows. Their modules are loaded here: call it at the top of
 * a test file, so that a test's time is the program's own and not that of loading a framework, and in the environment that
 * the programs are to find. Where they run in processes of their own, from packed tarballs, is integration-tests/readme.ts.
 *
 * @param {string} tests the package's folder of tests, from which modules are resolved
 */
export async function loadReadme(tests) {
  const text = await readFile(join(tests, "../README.md"), "utf8");
  const programs = blocks(text, "js|ts").slice(0, 2);
  const [shown = ""] = blocks(text, "text");
  const sources = programs.flatMap((each) => [...each.matchAll(/^import .* from (".*");$/gm)]);
  const modules = new Set(sources.map(([, name]) => `import ${name};\n`));
  await inFolder(tests, (folder) => load(join(folder, "modules.ts"), [...modules].join("")));
  return {
    shown,
    /** Runs one of the programs; gives what it prints to standard output, and then to standard error. */
    run: (/** @type {number} */ index) =>
      inFolder(tests, (folder) => printedBy(folder, () => load(join(folder, "program.ts"), programs[index] ?? ""))),
  };
}

/** @param {string} file @param {string} code */
async function load(file, code) {
  await writeFile(file, code);
  await import(file);
}

/** @template T @param {string} parent @param {(folder: string) => Promise<T>} use */
async function inFolder(parent, use) {
  const folder = await mkdtemp(join(parent, "readme-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text that is printed while it works in the folder. @param {string} folder @param {() => Promise<void>} work */
async function printedBy(folder, work) {
  const before = process.cwd();
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write, printed: "" }));
  const { log } = console;
  console.log = (...values) => void process.stdout.write(`${values.join(" ")}\n`);
  for (const each of streams) {
    each.stream.write = (/** @type {unknown} */ text) => {
      each.printed += String(text);
      return true;
    };
  }
  process.chdir(folder);
  try {
    await work();
  } finally {
    process.chdir(before);
    console.log = log;
    for (const { stream, write } of streams) stream.write = write;
  }
  return streams
    .map(({ printed }) => printed.replace(KEY, "").trim())
    .join("\n")
    .trim();
}
