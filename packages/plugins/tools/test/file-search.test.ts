import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type FileSearchOptions, fileSearch, ToolsError } from "@suite/tools/node";
import fc from "fast-check";
import { isThere } from "../../../../scripts/needs.mjs";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "./rig.js";

const base = realpathSync(mkdtempSync(join(tmpdir(), "file-search-")));
const root = join(base, "root");
afterAll(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, content: string, age = 0): void {
  const absolute = join(base, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  const then = Date.now() / 1000 - age;
  utimesSync(absolute, then, then);
}

beforeAll(() => {
  write("root/a.ts", "one\ntwo\n", 50);
  write("root/src/b.ts", "export two\r\nthree\n", 10);
  write("root/src/deep/c.tsx", "two two\n", 30);
  write("root/src/deep/d.md", "# Two", 20);
  write("root/.env", "TWO=two");
  write("root/.git/config", "two");
  write("root/node_modules/x/index.ts", "two");
  write("outside/secret.ts", "SECRET two");
  write("outside/sub/secret.ts", "SECRET two");
  write("outside/only-outside.ts", "SECRET");
  write("root2/secret.ts", "SECRET two");
  symlinkSync(join(base, "outside"), join(root, "out"));
  symlinkSync("../outside/secret.ts", join(root, "link.ts"));
  symlinkSync("src", join(root, "inside"));
  symlinkSync(".", join(root, "loop"));
});

const rig = (options: Partial<FileSearchOptions> = {}) => new Rig([fileSearch({ root, ...options })]);
const glob = (pattern: string, path?: string, options: Partial<FileSearchOptions> = {}) =>
  rig(options).call("glob", { pattern, ...(path !== undefined && { path }) });
const grep = (pattern: string, more: object = {}, options: Partial<FileSearchOptions> = {}) =>
  rig(options).call("grep", { pattern, ...more });

describe("glob", () => {
  it.each([
    ["*.ts", "/", "/a.ts"],
    ["**/*.ts", "/", "/src/b.ts\n/a.ts"],
    ["**/*.{ts,tsx}", "/", "/src/b.ts\n/src/deep/c.tsx\n/a.ts"],
    ["**", "src", "/src/b.ts\n/src/deep/d.md\n/src/deep/c.tsx"],
    ["d?ep/[a-c]*", "/src", "/src/deep/c.tsx"],
    ["src/**/[!c]*", "/", "/src/b.ts\n/src/deep/d.md"],
    ["/src/b.ts", "/", "/src/b.ts"],
    ["{a,src/b}.ts", "./", "/src/b.ts\n/a.ts"],
    ["a\\.ts", "/", "/a.ts"],
    ["a.t", "/", "No files found"],
    ["aats", "/", "No files found"],
  ])("%s in %s, the newest first", async (pattern, path, found) => {
    expect(await glob(pattern, path)).toBe(found);
  });

  it.each(["[", "{a", "", "x".repeat(501)])("takes no %j", async (pattern) => {
    expect(await glob(pattern)).toContain("is no glob");
  });

  it("sees hidden files and other ignored folders as configured", async () => {
    expect(await glob("**/*", "/", { hidden: true })).toContain("/.env");
    expect(await glob("**/*", "/", { hidden: true })).not.toContain("/.git/config");
    expect(await glob("**/*.ts", "/", { ignore: [] })).toContain("/node_modules/x/index.ts");
    expect(await glob("**/*", "/", { ignore: ["src/deep", "node_modules", "*.md"] })).toBe("/src/b.ts\n/a.ts");
    expect(await glob("*", "/.git")).toContain("The path does not exist");
    expect(await glob("**", "/node_modules/x")).toContain("The path does not exist");
  });
});

describe("grep", () => {
  it("gives files, lines or counts, by path", async () => {
    expect(await grep("two")).toBe("/a.ts\n/src/b.ts\n/src/deep/c.tsx");
    expect(await grep("two", { mode: "content" })).toBe(
      "/a.ts:2:two\n/src/b.ts:1:export two\n/src/deep/c.tsx:1:two two",
    );
    expect(await grep("t", { mode: "count" })).toBe("/a.ts:1\n/src/b.ts:2\n/src/deep/c.tsx:1");
    expect(await grep("^# TWO$", { ignore_case: true })).toBe("/src/deep/d.md");
    expect(await grep("two", { include: "*.tsx", path: "/src" })).toBe("/src/deep/c.tsx");
    expect(await grep("two", { include: "src/*.ts" })).toBe("/src/b.ts");
    expect(await grep("two", { path: "a.ts" })).toBe("/a.ts");
    expect(await grep("four")).toBe("No matches found");
  });

  it("reports invalid arguments", async () => {
    for (const pattern of ["(", "(?=a)", "(a)\\1", "x".repeat(501)]) expect(await grep(pattern)).toContain("RE2");
    expect(await rig().call("grep", {})).toContain("RE2");
    expect(await rig().call("grep", null)).toContain("RE2");
    expect(await grep("a", { mode: "all" })).toBe("The mode is files, content or count.");
    expect(await grep("a", { include: "[" })).toContain("no glob");
  });

  it("finds the same matches as the system's grep, in any tree", async () => {
    const name = fc.constantFrom("a", "b.ts", "c-d.md", "e f", "é", "a.b");
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n", "é", "\t"), maxLength: 40 });
    const files = fc.dictionary(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
      text,
      { maxKeys: 8 },
    );
    const pattern = fc.constantFrom("a", "^a", "b$", "a.c", "[ab]+c", "é", "a|b", "^$", "(ab)*c", "\\.");
    await fc.assert(
      fc.asyncProperty(files, pattern, async (tree, pattern) => {
        const folder = mkdtempSync(join(base, "tree-"));
        for (const [path, content] of Object.entries(tree)) {
          try {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            writeFileSync(join(folder, path), content);
          } catch {
            // a name that is a file and a folder
          }
        }
        const asked = { pattern, mode: "content" };
        const ours = String(await new Rig([fileSearch({ root: folder, maxResults: 1000 })]).call("grep", asked));
        const system = await promisify(execFile)("grep", ["-rnE", "--", pattern, "."], {
          cwd: folder,
          env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
        }).catch(() => ({ stdout: "" }));
        const theirs = system.stdout
          .split("\n")
          .flatMap((line) => (line === "" ? [] : [line.slice(1).replaceAll("\t", "\t")]));
        const sorted = (lines: readonly string[]) => [...lines].sort();
        expect(sorted(ours === "No matches found" ? [] : ours.split("\n"))).toEqual(sorted(theirs));
        rmSync(folder, { recursive: true });
      }),
      { numRuns: runs(80) },
    );
  }, 60_000);
});

describe("the root", () => {
  const names = [
    "..",
    ".",
    "",
    "~",
    "out",
    "sub",
    "link.ts",
    "inside",
    "loop",
    "src",
    "secret.ts",
    "%2e%2e",
    "..\\..",
    "\0",
    "root2",
    "....",
    "\u2025",
    "...",
    "~root",
    "a.ts",
    ".env",
    "C:",
    "é",
  ];
  const path = fc
    .tuple(
      fc.constantFrom(
        "",
        "/",
        "//",
        "./",
        "../",
        base,
        `${base}/outside`,
        root,
        `${root}/..`,
        "file://",
        "/proc/self/root",
      ),
      fc.array(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 5 })), { maxLength: 6 }),
    )
    .map(([first, rest]) => first + rest.join("/"));

  it("is never left, by random paths, globs and links", async () => {
    const seen = rig({ hidden: true, ignore: [] });
    await fc.assert(
      fc.asyncProperty(path, path, async (path, pattern) => {
        const results = [
          await seen.call("glob", { pattern: "**", path }),
          await seen.call("glob", { pattern, path: "/" }),
          await seen.call("grep", { pattern: "SECRET|root:", path, mode: "content" }),
          await seen.call("grep", { pattern: "SECRET", include: pattern }),
        ];
        for (const result of results) {
          expect(result).not.toContain("SECRET");
          expect(result).not.toContain(base);
          for (const line of String(result).split("\n")) expect(line).not.toMatch(/^\/.*secret/);
        }
      }),
      { numRuns: runs(1000) },
    );
  }, 120_000);

  it.each([
    "..",
    "../outside",
    "out",
    "out/sub",
    "out/secret.ts",
    "link.ts",
    "~",
    "/etc",
    "src/../../outside",
    "\0",
    "inside",
    "missing",
  ])("tells nothing of %j, be it there or not", async (path) => {
    const nothing = "The path does not exist. Paths begin at /, which is the root.";
    expect(await glob("**", path)).toBe(nothing);
    expect(await grep("a", { path })).toBe(nothing);
    expect(await grep("a", { path: 7 })).toBe(nothing);
  });

  it("is not left by folders that become links while they are searched, by another process", async () => {
    for (let at = 0; at < 40; at++) {
      write(`moving/inner/${at}.ts`, "plain");
      write(`outside/${at}.ts`, "SECRET");
    }
    write("moving/zz.ts", "plain");
    symlinkSync(join(base, "outside"), join(base, "to-outside"));
    const swaps = `const { renameSync } = require("node:fs");
      for (;;) {
        renameSync("moving/inner", "kept"); renameSync("to-outside", "moving/inner");
        renameSync("moving/inner", "to-outside"); renameSync("kept", "moving/inner");
      }`;
    const swapping = spawn(process.execPath, ["-e", swaps], { cwd: base, stdio: "ignore" });
    let seen = 0;
    for (let at = 0; at < 200; at++) {
      const search = new Rig([fileSearch({ root: join(base, "moving") })]);
      const found = String(await search.call("grep", { pattern: ".", mode: "content" }));
      expect(found).not.toContain("SECRET");
      expect(found).toContain("/zz.ts:1:plain");
      seen += found.includes("/inner/") ? 1 : 0;
      const named = await search.call("grep", { pattern: ".", mode: "content", path: "/inner/7.ts" });
      expect(named).not.toContain("SECRET");
      expect(await search.call("glob", { pattern: "**/only-outside.ts" })).toBe("No files found");
    }
    swapping.kill("SIGKILL");
    expect(seen).toBeGreaterThan(0);
  }, 60_000);

  it("may be a link itself, and has to be there", async () => {
    symlinkSync(root, join(base, "as-link"));
    expect(await new Rig([fileSearch({ root: join(base, "as-link") })]).call("glob", { pattern: "*" })).toBe("/a.ts");
    const missing = new Rig([fileSearch({ root: join(base, "not-there") })]).call("glob", { pattern: "*" });
    await expect(missing).rejects.toMatchObject({ code: "ERR_TOOLS_ROOT" });
    await expect(missing).rejects.not.toThrow(base);
  });
});

describe("hostile input", () => {
  const hostile = join(base, "hostile");
  const search = (options: Partial<FileSearchOptions>, tool: string, input: object) =>
    new Rig([fileSearch({ root: hostile, ...options })]).call(tool, input);

  beforeAll(() => {
    write("hostile/many.txt", "line x\n".repeat(5000));
    write("hostile/a's.txt", `${"a".repeat(400_000)}b\n`.repeat(2));
    write("hostile/large.txt", "x".repeat(2 ** 20 + 1));
    write("hostile/binary", "line\0x");
    write("hostile/two\nlines\u202e.txt", "line \u001b[2J x");
    if (isThere("mkfifo", "searches over a named pipe")) execFileSync("mkfifo", [join(hostile, "pipe")]);
    for (let at = 0; at < 50; at++) write(`hostile/f/${at}.txt`, "z");
  });

  it("returns at most the maximum of lines, characters and files, and reports the limit", async () => {
    const lines = String(
      await search({ maxResults: 10 }, "grep", { pattern: "line", mode: "content", path: "many.txt" }),
    );
    expect(lines.split("\n")).toHaveLength(11);
    expect(lines).toMatch(/\(more was found: narrow the search, or search in a folder\)$/);
    const characters = String(await search({ maxCharacters: 500 }, "grep", { pattern: "line", mode: "content" }));
    expect(characters.length).toBeLessThan(650);
    expect(characters).toContain("more than can be shown");
    expect(await search({ maxResults: 3 }, "glob", { pattern: "f/*" })).toMatch(/\(47 more were found: .*\)$/);
    expect(await search({ maxEntries: 10 }, "glob", { pattern: "nothing" })).toMatch(
      /^No files found\n\(there are too many/,
    );
    expect(await search({}, "grep", { pattern: "xx", path: "large.txt" })).toContain("not searched, as too large: 1");
    expect(String(await search({}, "grep", { pattern: "aaa", mode: "content" })).length).toBeLessThan(2000);
  });

  // In another system (a+)+$ on a line of 40 a's takes more than 8 s, and results have no bound.
  it("ends for every expression, and does not block the event loop", async () => {
    const begun = performance.now();
    for (const pattern of ["(a+)+$", "(a|a)*c", "(a*)*b$", "((a{0,100}){0,10})*z"]) {
      expect(await search({ timeout: 2000 }, "grep", { pattern, mode: "content" })).toBeDefined();
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await search({ timeout: 1e-3 }, "grep", { pattern: "a" })).toContain("it took too long");
  }, 20_000);

  it("skips pipes and what is no text, and shows each path and line on one line", async () => {
    expect(await search({}, "grep", { pattern: "line", path: "pipe" })).toContain("The path does not exist");
    expect(await search({ maxFileBytes: 2 ** 21 }, "grep", { pattern: "line" })).toBe(
      "/many.txt\n/two\\u000alines\\u202e.txt",
    );
    expect(await search({}, "grep", { pattern: "line", include: "two*", mode: "content" })).toBe(
      "/two\\u000alines\\u202e.txt:1:line \\u001b[2J x",
    );
  });

  it("stops if the run is aborted", async () => {
    const stop = new AbortController();
    const aborted = new Rig([fileSearch({ root: hostile })], { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(aborted.call("glob", { pattern: "**" })).rejects.toThrow("enough");
  });

  it("tells of each search without a word of it", async () => {
    const told = new Rig([fileSearch({ root: hostile })]);
    await told.call("grep", { pattern: "line" });
    expect(told.decided("searched")).toMatchObject([
      { plugin: "file-search", enforced: true, details: { found: 2, complete: false } },
    ]);
  });
});

describe("options", () => {
  it.each([
    {},
    { root: "" },
    { root, maxResults: 0 },
    { root, maxFileBytes: -1 },
    { root, timeout: Number.NaN },
    { root, ignore: ["["] },
    { root, ignore: "x" },
    { root, globName: "grep" },
    { root, unknown: 1 },
  ])("refuses %j", (options) => {
    expect(() => fileSearch(options as FileSearchOptions)).toThrow(ToolsError);
  });
});
