import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, link, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { cli, runCli } from "../command.js";

const root = join(import.meta.dirname, "../..");

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "suite-pii-"));
});
afterEach(() => rm(dir, { recursive: true }));

const run = (args: readonly string[], input = "") => runCli(args, input, dir);
const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text);
const get = (name: string): Promise<string> => readFile(join(dir, name), "utf8");
const files = (): Promise<string[]> => readdir(dir).then((names) => names.sort());

it("tells its version and its help", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  const { out } = await run(["--help"]);
  for (const option of ["--version", "--output", "--in-place", "--threshold", "--allow", "--rules", "--check"]) {
    expect(out).toContain(option);
  }
});

it.each([[[]], [["--in-place"]], [["--check"]]])(
  "names a folder that it was given in place of a file: %j",
  async (args) => {
    const { code, out, err } = await run([...args, dir]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`${dir} is a folder. Pass the files in it, such as`);
  },
);

describe("the chosen types", () => {
  const text = "card 4111 1111 1111 1111, jane@x.com, help@x.com, HELP@y.org";

  it("is as sure as --threshold asks", async () => {
    expect((await run(["--threshold", "0.93"], text)).out).toContain("4111");
    expect((await run(["--types", "phone", "--threshold", "0.2"], "x 21255501 x")).out).toBe("x [REDACTED_PHONE] x");
  });

  it("is not what --allow names, as a value or a pattern, once or more often", async () => {
    const args = ["--types", "email", "--allow", "HELP@x.com", "--allow", "/.*@y\\.org/i"];
    expect((await run(args, text)).out).toBe(text.replace("jane@x.com", "[REDACTED_EMAIL]"));
  });

  it("is all types, or the default ones and others, by a word", async () => {
    expect((await run(["--types", "default,email"], text)).out).toBe((await run([], text)).out);
    expect((await run(["--types", "all"], text)).out).not.toContain("4111");
  });
});

describe("rules from a file", () => {
  it("have patterns in JSON, which RE2 runs", async () => {
    const rules = {
      ticket: { recognizer: { pattern: "tck-\\d{6}", flags: "i" }, strategy: "redact" },
      ip: { strategy: "redact", allow: ["127.0.0.1", { pattern: "10\\..*" }] },
      slow: { recognizer: { pattern: "(?:a+)+b" }, strategy: "redact" },
    };
    await put("rules.json", JSON.stringify(rules));
    const { out } = await run(["--rules", "rules.json"], `TCK-123456 127.0.0.1 10.1.1.1 8.8.8.8 ${"a".repeat(50_000)}`);
    expect(out.slice(0, 60)).toBe(`[REDACTED_TICKET] 127.0.0.1 10.1.1.1 [REDACTED_IP] ${"a".repeat(9)}`);
  });

  it.each([
    [{ pattern: "(?=a)b" }, "RE2 cannot express"],
    [{ pattern: "(" }, "the pattern of"],
    [{ pattern: 1 }, "the pattern of"],
    [{ pattern: "a", flag: "i" }, '"flag"'],
    ["TCK", "recognizer must be a RegExp"],
  ])("say what is wrong with %j", async (recognizer, told) => {
    await put("rules.json", JSON.stringify({ ticket: { recognizer, strategy: "redact" } }));
    const { code, out, err } = await run(["--rules", "rules.json"], "text");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(told);
  });

  const names = `export default { email: "redact", name: { timeout: 5000, strategy: "redact",
    recognizer: async (text) => [...text.matchAll(/Jane|Omar/g)].map(({ index }) => ({ start: index, end: index + 4 })) } };`;

  it("have recognisers that are waited for, in text and in JSON", async () => {
    await put("rules.mjs", names);
    expect(await run(["--rules", "rules.mjs"], "Jane has jane@x.com, Omar not")).toEqual({
      code: 0,
      out: "[REDACTED_NAME] has [REDACTED_EMAIL], [REDACTED_NAME] not",
      err: "",
    });
    const lines = '{"from":"Jane","to":["Omar"]}\n\n{"Jane":1}\n';
    expect((await run(["--rules", "rules.mjs", "--jsonl"], lines)).out).toBe(
      '{"from":"[REDACTED_NAME]","to":["[REDACTED_NAME]"]}\n\n{"[REDACTED_NAME]":1}\n',
    );
    expect(await run(["--rules", "rules.mjs", "--check"], "a\nJane")).toMatchObject({
      code: 1,
      out: "standard input:2:1: name ****\n",
    });
  });

  it("end with 2 where such a recogniser fails, and nothing passes", async () => {
    await put("rules.mjs", 'export default { name: { recognizer: async () => { throw 1; }, strategy: "redact" } };');
    const { code, out, err } = await run(["--rules", "rules.mjs"], "Jane");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain('"name"');
  });
});

it("--check continues after a blocked value, and prints no value that the mask keeps whole", async () => {
  await put("rules.json", '{ "email": "block", "iban": { "strategy": "mask", "deny": ["AB1234", "****"] } }');
  expect(await run(["--rules", "rules.json", "--check"], "jane@x.com\nAB1234 omar@x.com ab1234\n")).toMatchObject({
    code: 1,
    out: [
      "standard input:1:1: email j***@***",
      "standard input:2:1: iban ****",
      "standard input:2:8: email o***@***",
      "standard input:2:19: iban ****\n",
    ].join("\n"),
  });
});

describe("--output", () => {
  it("has what standard output would have, and replaces the file at once", async () => {
    await put("a.txt", "mail jane@x.com\n");
    await put("b.txt", "and omar@x.com\n");
    await put("out.txt", "old");
    expect(await run(["a.txt", "b.txt", "-o", "out.txt", "--report"])).toEqual({ code: 0, out: "", err: "2 email\n" });
    expect(await get("out.txt")).toBe("mail [REDACTED_EMAIL]\nand [REDACTED_EMAIL]\n");
    await run(["-o", "new.txt"], "jane@x.com");
    expect(await get("new.txt")).toBe("[REDACTED_EMAIL]");
    expect(await files()).toEqual(["a.txt", "b.txt", "new.txt", "out.txt"]);
  });

  it("may be the file that is read", async () => {
    await put("a.txt", `${"prose ".repeat(200_000)}jane@x.com`);
    await run(["a.txt", "-o", "a.txt"]);
    expect(await get("a.txt")).toBe(`${"prose ".repeat(200_000)}[REDACTED_EMAIL]`);
  });

  it.each([
    ["a rule blocks", ["--rules", "block.json"], 1],
    ["a line is no JSON", ["--jsonl"], 2],
    ["a file is not there", ["no.txt"], 2],
  ])("stays as it was where %s", async (_, args, code) => {
    await put("out.txt", "old");
    await put("block.json", '{ "email": "block" }');
    await put("a.txt", `${'{"prose":1}\n'.repeat(20_000)}jane@x.com`);
    expect((await run(["a.txt", ...args, "-o", "out.txt"])).code).toBe(code);
    expect(await get("out.txt")).toBe("old");
    expect(await files()).toEqual(["a.txt", "block.json", "out.txt"]);
  });

  it("stays unchanged if the program is stopped, without a temporary file", async () => {
    await put("out.txt", "old");
    const child = spawn(process.execPath, [cli, "-o", "out.txt"], { cwd: dir });
    child.stdin.on("error", () => {}).write("prose ".repeat(100_000));
    while ((await files()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGTERM");
    const [code, signal] = await once(child, "exit");
    expect([code, signal]).toEqual([null, "SIGTERM"]);
    expect(await files()).toEqual(["out.txt"]);
    expect(await get("out.txt")).toBe("old");
  });
});

describe("--in-place", () => {
  it("replaces each file, keeps its rights and follows a link", async () => {
    await put("a.txt", "jane@x.com");
    await put("b.txt", "omar@x.com");
    await chmod(join(dir, "a.txt"), 0o640);
    await symlink("b.txt", join(dir, "link.txt"));
    expect(await run(["-i", "a.txt", "link.txt", "--report"])).toEqual({ code: 0, out: "", err: "2 email\n" });
    expect([await get("a.txt"), await get("b.txt")]).toEqual(["[REDACTED_EMAIL]", "[REDACTED_EMAIL]"]);
    expect((await stat(join(dir, "a.txt"))).mode & 0o777).toBe(0o640);
    expect((await lstat(join(dir, "link.txt"))).isSymbolicLink()).toBe(true);
    expect(await files()).toEqual(["a.txt", "b.txt", "link.txt"]);
  });

  it("leaves a file without a finding as it is", async () => {
    await put("a.txt", "prose");
    await link(join(dir, "a.txt"), join(dir, "same.txt"));
    await run(["--in-place", "a.txt"]);
    expect((await stat(join(dir, "a.txt"))).nlink).toBe(2);
    expect(await files()).toEqual(["a.txt", "same.txt"]);
  });

  it("leaves a file whole where it fails, and names it", async () => {
    await put("a.jsonl", '{"to":"jane@x.com"}\n');
    await put("b.jsonl", '{"to":"jane@x.com"}\nno JSON\n');
    const { code, err } = await run(["-i", "--jsonl", "a.jsonl", "b.jsonl"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("b.jsonl:2 is not JSON") });
    expect(await get("a.jsonl")).toBe('{"to":"[REDACTED_EMAIL]"}\n');
    expect(await get("b.jsonl")).toBe('{"to":"jane@x.com"}\nno JSON\n');
    expect(await files()).toEqual(["a.jsonl", "b.jsonl"]);
  });

  it("says where a rule blocks", async () => {
    await put("block.json", '{ "email": "block" }');
    await put("a.txt", "one\ntwo jane@x.com");
    const { code, err } = await run(["-i", "a.txt", "--rules", "block.json"]);
    expect(code).toBe(1);
    expect(err).toContain("a.txt, line 2, column 5");
    await put("a.jsonl", '{"x":1}\n{"user":{"email":"jane@x.com"}}');
    expect((await run(["--jsonl", "a.jsonl", "--rules", "block.json"])).err).toContain(
      "a.jsonl, user.email, line 2, column 18",
    );
  });
});
