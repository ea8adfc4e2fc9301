import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { filesOf } from "../src/cli/files.js";
import { runCli } from "./command.js";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "suite-pii-files-"));
  await mkdir(join(dir, "logs", "old"), { recursive: true });
  await mkdir(join(dir, "logs", ".git"));
  for (const name of ["a.txt", "b.txt", "[c].md", "old/d.txt", "old/.e.txt", ".git/f.txt", "what?.txt"]) {
    await writeFile(join(dir, "logs", name), "mail jane@x.com\n");
  }
});
afterAll(() => rm(dir, { recursive: true }));

describe("the files of suite-pii", () => {
  it.each([
    ["*.txt", ["a.txt", "b.txt", "what?.txt"]],
    ["?.txt", ["a.txt", "b.txt"]],
    ["**/*.txt", ["a.txt", "b.txt", "old/d.txt", "what?.txt"]],
    ["*/*.txt", ["old/d.txt"]],
    ["**/.e.txt", ["old/.e.txt"]],
    ["what?.txt", ["what?.txt"]],
    ["*[c]*", ["[c].md"]],
  ])("are those that %s matches", async (pattern, expected) => {
    const names = expected.map((name) => join(dir, "logs", name));
    expect(await filesOf([join(dir, "logs", pattern)])).toEqual(names);
  });

  it("are each named once, in the order of the arguments, and standard input stays", async () => {
    const [a, b] = [join(dir, "logs/a.txt"), join(dir, "logs/b.txt")];
    expect(await filesOf([b, "-", join(dir, "logs/?.txt")])).toEqual([b, "-", a]);
  });

  it("are refused if a pattern matches none, and if one is a folder", async () => {
    await expect(filesOf([join(dir, "*.log")])).rejects.toThrow("matches no file");
    await expect(filesOf([join(dir, "logs")])).rejects.toThrow("is a folder");
  });

  it("match in a time that is linear in their names", async () => {
    await writeFile(join(dir, "a".repeat(200)), "");
    await expect(filesOf([join(dir, `${"a*".repeat(90)}b`)])).rejects.toThrow("matches no file");
  });
});

describe("suite-pii --csv", () => {
  const table = `name,phone,ssn\n"Roe, Jane",4155552671,"536904399"\n5",4155552672,"a\nb j@x.com"\n`;

  it("treats values by the names of their columns, and keeps the rest as written", async () => {
    const { code, out } = await runCli(["--csv"], table);
    expect([code, out]).toEqual([
      0,
      `name,phone,ssn\n"Roe, Jane",[REDACTED_PHONE],"[REDACTED_US_SSN]"\n5",[REDACTED_PHONE],"a\nb [REDACTED_EMAIL]"\n`,
    ]);
  });

  it("reports the column of each finding, and cannot be combined with --jsonl", async () => {
    const { code, out } = await runCli(["--csv", "--check"], table);
    expect([code, out.split("\n").slice(0, 2)]).toEqual([
      1,
      ["standard input:2:13: phone ***-***-2671 at phone", "standard input:2:25: us_ssn ***-**-4399 at ssn"],
    ]);
    expect((await runCli(["--csv", "--jsonl"], table)).code).toBe(2);
  });
});

describe("suite-pii --check --json", () => {
  it("writes a line of JSON for each finding of the files that a pattern matches, and the counts", async () => {
    const { code, out } = await runCli(["--check", "--json", "--report", "logs/?.txt"], "", dir);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const found = { line: 1, column: 6, type: "email", masked: "j***@***" };
    expect([code, lines]).toEqual([
      1,
      [{ file: "logs/a.txt", ...found }, { file: "logs/b.txt", ...found }, { counts: { email: 2 } }],
    ]);
  });

  it("adds the path of a field, and takes --check", async () => {
    const { out } = await runCli(["--check", "--json", "--jsonl"], '{"a":{"b":"k@x.com"}}\n');
    expect(JSON.parse(out)).toMatchObject({ file: "standard input", path: "a.b", type: "email" });
    expect(await runCli(["--json"], "x")).toMatchObject({ code: 2, err: "--json takes --check.\n" });
  });
});
