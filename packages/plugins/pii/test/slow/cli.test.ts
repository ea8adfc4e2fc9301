import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { fieldsOf, leavesOf } from "../../src/cli/json-fields.js";
import { recognisers } from "../../src/recognisers/registry.js";
import { cli, runCli } from "../command.js";

const everything = Object.fromEntries(recognisers.map(({ type }) => [type, "redact" as const]));

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "suite-pii-"));
});
afterAll(() => rm(dir, { recursive: true }));

const file = async (name: string, text: string): Promise<string> => {
  const path = join(dir, name);
  await writeFile(path, text);
  return path;
};

const text = "mail jane@x.com\r\n\nthen 4111 1111 1111 1111\nand 10.0.0.1 and k@x.com\n";

describe("suite-pii", () => {
  it("treats standard input as redact() treats the whole text, and nothing else changes", async () => {
    const { code, out, err } = await runCli([], `\ufeff${text}`);
    expect({ code, out, err }).toEqual({ code: 0, out: createRedactor(everything).redact(`\ufeff${text}`), err: "" });
  });

  it("joins files in the order of their names, with the strategy and the types that are asked for", async () => {
    const [first, second] = [await file("a.txt", "a@x.com "), await file("b.txt", "10.0.0.1 b@x.com")];
    const { out } = await runCli([first, "-", second, "--types", "email", "--strategy", "mask"], "c@x.com ");
    expect(out).toBe("a***@*** c***@*** 10.0.0.1 b***@***");
  });

  it("reports how often each type was found beside the text", async () => {
    const { out, err } = await runCli(["--report"], text);
    expect(out).toContain("[REDACTED_EMAIL]");
    expect(err).toBe("2 email\n1 credit_card\n1 ip\n");
  });

  it("says with --check where something is, and what its mask leaves, and ends with 1", async () => {
    const path = await file("check.txt", text);
    const { code, out } = await runCli(["--check", "--report", path]);
    const lines = [
      `${path}:1:6: email j***@***`,
      `${path}:3:6: credit_card ****-****-****-1111`,
      `${path}:4:5: ip *.*.*.1`,
      `${path}:4:18: email k***@***`,
    ];
    expect(out).toBe(`${lines.join("\n")}\n2 email\n1 credit_card\n1 ip\n`);
    expect(code).toBe(1);
  });

  it("ends with 0 when --check finds nothing", async () => {
    expect(await runCli(["--check"], "nothing here\n")).toEqual({ code: 0, out: "", err: "" });
  });

  it("takes rules from a file, recognisers of one's own too", async () => {
    const json = await file("rules.json", '{ "email": "mask" }');
    const module = await file(
      "rules.mjs",
      'export default { ticket: { recognizer: /TCK-\\d{6}/, strategy: "redact" } };',
    );
    expect((await runCli(["--rules", json], "a@x.com")).out).toBe("a***@***");
    expect((await runCli(["--rules", module], "see TCK-123456")).out).toBe("see [REDACTED_TICKET]");
  });

  it("ends with 1 and gives nothing of the value out where a rule blocks", async () => {
    const rules = await file("block.json", '{ "email": "block" }');
    const { code, out, err } = await runCli(["--rules", rules], "to a.very.long.name@x.com");
    expect(code).toBe(1);
    expect(out + err).not.toContain("a.very");
    expect(err).toContain("email");
    expect(err).toContain("standard input, line 1, column 4");
  });

  it("hashes with the key of a file as a redactor with that key does", async () => {
    const key = await file("key", "0123456789abcdef0123\n");
    const redactor = createRedactor({ email: "hash" }, { hashKey: "0123456789abcdef0123" });
    const args = ["--types", "email", "--strategy", "hash", "--key-file", key];
    expect((await runCli(args, "a@x.com")).out).toBe(redactor.redact("a@x.com"));
  });

  it.each([
    [["--strategy", "block"], "--strategy"],
    [["--types", "shoe_size"], "shoe_size"],
    [["--rules", "x.json", "--types", "email"], "--rules"],
    [["--fields", "a"], "--jsonl"],
    [["--encoding", "klingon"], "--encoding"],
    [["--nonsense"], "--nonsense"],
    [["--threshold", "high"], "--threshold"],
    [["--threshold", "1.1"], "--threshold"],
    [["--threshold", ""], "--threshold"],
    [["--allow", "/(/"], "--allow"],
    [["--rules", "x.json", "--threshold", "1"], "--rules"],
    [["--rules", "x.json", "--allow", "x"], "--rules"],
    [["--check", "-o", "x"], "--check"],
    [["--check", "-i", "x"], "--check"],
    [["-i"], "--in-place"],
    [["-i", "x", "-"], "--in-place"],
    [["-i", "x", "-o", "y"], "--in-place"],
    [["-i", "x", "--encoding", "latin1"], "--encoding"],
    [["-o", "no-such-folder/x"], "no-such-folder"],
    [["-o", "."], "is not a file"],
    [["no-such-file.txt"], "no-such-file.txt"],
  ])("says what to change, with exit code 2, when it is asked %j", async (args, told) => {
    const { code, out, err } = await runCli(args, "a@x.com");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(told);
    expect(err).not.toContain("    at ");
  });

  it.each(["utf16le", "utf32le"])("refuses %s without a byte order mark", async (encoding) => {
    const text = "mail jane@x.com\n";
    const width = encoding === "utf16le" ? 2 : 4;
    const bytes = new Uint8Array(text.length * width);
    for (let at = 0; at < text.length; at++) bytes[at * width] = text.charCodeAt(at);
    for (const options of [[], ["--check"], ["--encoding", "latin1"], ["--jsonl"]]) {
      const { code, out, err } = await runCli(options, bytes);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain("--encoding");
    }
    if (width === 2) expect((await runCli(["--encoding", "utf-16le"], bytes)).out).toBe("mail [REDACTED_EMAIL]\n");
    expect((await runCli([], "a zero \0 byte jane@x.com")).code).toBe(0);
  });

  it("refuses bytes that are no text in the encoding, and takes the right one", async () => {
    const latin = Buffer.from("naïve jane@x.com", "latin1");
    expect(await runCli([], latin)).toMatchObject({ code: 2, err: expect.stringContaining("--encoding") });
    expect((await runCli(["--encoding", "latin1"], latin)).out).toBe("naïve [REDACTED_EMAIL]");
  });

  it("ends without an error when its reader stops", async () => {
    const path = await file("long.txt", "all of this is prose. ".repeat(200_000));
    const child = spawn(process.execPath, [cli, path]);
    let err = "";
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    await new Promise((resolve) => child.once("exit", resolve));
    expect(err).toBe("");
  });

  it("holds no more of a file than it must", async () => {
    const path = join(dir, "large.txt");
    const large = createWriteStream(path);
    const piece = "prose, jane@x.com and a number 12 in it\n".repeat(25_000);
    for (let i = 0; i < 60; i++) if (!large.write(piece)) await once(large, "drain");
    large.end();
    await finished(large);
    // The heap of a program that read all 60 MB would not fit.
    const small = ["--max-old-space-size=24", cli, "--check", path];
    const child = spawn(process.execPath, small, { stdio: ["ignore", "pipe", "inherit"] });
    let lines = 0;
    for await (const data of child.stdout) for (const byte of data as Buffer) if (byte === 10) lines++;
    expect(lines).toBe(60 * 25_000);
  }, 300_000);
});

const record = `{"user":{"email":"jane@x.com","n":1.0},  "messages":[{"content":"a@x.com\\nand 10.0.0.1"}]}`;

describe("suite-pii --jsonl", () => {
  it("treats the strings of each line, and leaves spaces, digits and empty lines as they were", async () => {
    const { out } = await runCli(["--jsonl"], `${record}\n\n{"big":12345678901234567890, "k@x.com":4111111111111111}`);
    expect(out).toBe(
      `${record.replaceAll(/[a-z]+@x\.com/g, "[REDACTED_EMAIL]").replace("10.0.0.1", "[REDACTED_IP]")}\n\n` +
        '{"big":12345678901234567890, "[REDACTED_EMAIL]":"[REDACTED_CREDIT_CARD]"}',
    );
  });

  it("treats only the fields that are asked for", async () => {
    const { out } = await runCli(["--jsonl", "--fields", "messages[].content"], record);
    expect(out).toContain('"jane@x.com"');
    expect(out).toContain('"[REDACTED_EMAIL]\\nand [REDACTED_IP]"');
  });

  it("takes a field's name for what stands before its value", async () => {
    const digits = '"2125550123"';
    const { out } = await runCli(
      ["--jsonl", "--types", "phone"],
      `{"phone":${digits},"order":${digits},"id":2125550123}`,
    );
    expect(out).toBe(`{"phone":"[REDACTED_PHONE]","order":${digits},"id":2125550123}`);
  });

  it("--check names the field without personal data in its name", async () => {
    const { out } = await runCli(["--jsonl", "--check"], `{"a":1}\n${record}\n{"k@x.com":{"b":"c@x.com"}}\n`);
    const from = "standard input";
    expect(out.trim().split("\n")).toEqual([
      `${from}:2:18: email j***@*** at user.email`,
      `${from}:2:${record.indexOf(`"a@x`) + 1}: email a***@*** at messages[].content`,
      `${from}:2:${record.indexOf(`"a@x`) + 1}: ip *.*.*.1 at messages[].content`,
      `${from}:3:2: email k***@*** at {key}`,
      `${from}:3:17: email c***@*** at [REDACTED_EMAIL].b`,
    ]);
  });

  it("says which line is not JSON, without its text", async () => {
    const { code, err } = await runCli(["--jsonl"], '{"a":1}\njane@x.com\n');
    expect(code).toBe(2);
    expect(err).toContain("standard input:2 is not JSON");
    expect(err).not.toContain("jane");
  });
});

describe("the leaves of a JSON text", () => {
  /** Every string, number and key, by walking the value. */
  function* walked(value: unknown, path: readonly string[]): Generator<readonly [string, unknown], void> {
    if (typeof value === "string" || typeof value === "number") yield [JSON.stringify(path), value];
    else if (Array.isArray(value)) for (const item of value) yield* walked(item, [...path, "[]"]);
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        yield [JSON.stringify([...path, key]), key];
        yield* walked(item, [...path, key]);
      }
    }
  }

  it("are those of the value, each with its path", () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (compact, pretty) => {
        const value: unknown = JSON.parse(compact);
        const json = pretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
        const leaves = [...leavesOf(json)].map(({ start, end }) => JSON.parse(json.slice(start, end)) as unknown);
        const paths = Array.from(leavesOf(json), ({ path }) => JSON.stringify(path));
        expect(leaves.map((leaf, index) => [paths[index], leaf])).toEqual([...walked(value, [])]);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ["user.email", ["user", "email"], true],
    ["user", ["user", "email"], true],
    ["user.email", ["user"], false],
    ["*.email", ["user", "email"], true],
    ["*.email", ["email"], false],
    ["**.email", ["a", "[]", "email"], true],
    ["**.email", ["email"], true],
    ["messages[].content", ["messages", "[]", "content"], true],
    ["[].a", ["[]", "a"], true],
    ["*.a", ["[]", "a"], false],
  ])("--fields %s and the path %j: %j", (pattern, path, expected) => {
    expect(fieldsOf([pattern])(path)).toBe(expected);
  });

  it("are matched without trying each way to read several **", () => {
    const deep = Array.from({ length: 20_000 }, () => "y");
    expect(fieldsOf(["**.y.**.y.**.y.**.z"])(deep)).toBe(false);
  });
});
