import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { drawing, seeded } from "./draw.js";

const random = seeded(21);
const draw = (pattern: RegExp): string => drawing(pattern, random)();
const redactor = createRedactor({ secret: "redact", email: "redact", url: "redact" });
const marker = (word: string, label: string): string => `-----${word} ${label}-----`;
const lines = (count: number): string[] => Array.from({ length: count }, () => draw(/[\dA-Za-z+/]{64}/));
const body = (count: number): string[] => [...lines(count), `${draw(/[\dA-Za-z+/]{18}/)}==`];
const key = (label: string, count = 3, end = "\n"): string =>
  [marker("BEGIN", label), ...body(count), marker("END", label)].join(end);

function streamed(text: string, size: number): string {
  const stream = redactor.stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}

describe("a private key", () => {
  it.each([
    ["PKCS #8", key("PRIVATE KEY")],
    ["RSA", key("RSA PRIVATE KEY", 25)],
    ["EC, one line", key("EC PRIVATE KEY", 1)],
    ["OpenSSH", key("OPENSSH PRIVATE KEY", 6)],
    ["with CR LF", key("PRIVATE KEY", 3, "\r\n")],
    ["with \\n written out", key("PRIVATE KEY", 3, "\\n")],
    ["indented", key("PRIVATE KEY", 3, "\n    ")],
    ["quoted in mail", key("PRIVATE KEY", 3, "\n> ")],
    ["in source code", key("PRIVATE KEY", 3, '\\n" +\n  "')],
    ["on one line", key("PRIVATE KEY", 3, " ")],
    [
      "encrypted",
      key("RSA PRIVATE KEY").replace(
        "\n",
        `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${draw(/[\dA-F]{32}/)}\n\n`,
      ),
    ],
    ["OpenPGP", key("PGP PRIVATE KEY BLOCK", 40).replace("\n", "\nVersion: GnuPG v2\nComment: of https://x.com\n\n")],
    ["without its end", key("PRIVATE KEY").replace(/=*\n-----END.*/, "")],
  ])("is taken out as a whole: %s", (_, text) => {
    expect(redactor.redact(`key: "${text}" and so on`)).toMatch(/^key: "\[REDACTED_SECRET\]"? and so on$/);
  });

  it("is not found without a key between the markers", () => {
    const texts = [
      "Files begin with -----BEGIN RSA PRIVATE KEY----- and then comes base64.",
      "-----BEGIN PRIVATE KEY-----\n<your key here>\n-----END PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
      key("PUBLIC KEY"),
      key("CERTIFICATE"),
    ];
    for (const text of texts) expect(redactor.redact(text)).toBe(text);
  });

  it("does not take the prose behind a key that was cut off", () => {
    const text = [marker("BEGIN", "PRIVATE KEY"), ...lines(2), "and here the text goes on as before"].join("\n");
    expect(redactor.redact(text)).toBe("[REDACTED_SECRET]\nand here the text goes on as before");
  });

  it("longer than what is held back is replaced once, and no line of it is given out", () => {
    const text = `a ${key("PGP PRIVATE KEY BLOCK", 400)} b`;
    expect(redactor.redact(text)).toBe("a [REDACTED_SECRET] b");
    for (const size of [1, 64, 4095, 4097]) expect(streamed(text, size)).toBe("a [REDACTED_SECRET] b");
  });

  it("gives, streamed, what it gives whole, for every way to cut the text", () => {
    const pieces = fc.constantFrom(
      key("PRIVATE KEY"),
      key("EC PRIVATE KEY", 1, "\\n"),
      key("RSA PRIVATE KEY", 80),
      marker("BEGIN", "PRIVATE KEY"),
      marker("END", "PRIVATE KEY"),
      ...lines(2),
      "-----BEGIN",
      "-----",
      "\n",
      "Proc-Type: 4,ENCRYPTED\n",
      "the word ",
      "jane@x.com ",
      "😀",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.integer({ min: 1, max: 90 }), (parts, size) => {
        const text = parts.join("");
        expect(streamed(text, size)).toBe(redactor.redact(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it("is held back only from its marker on", () => {
    const stream = redactor.stream();
    expect(stream.push("see ----")).toBe("see ");
    expect(stream.push("-BEGIN certainly ")).toBe("-----BEGIN certainly ");
    expect(stream.push(`${marker("BEGIN", "PRIVATE KEY")}\n${lines(1).join("")}`)).toBe("");
    expect(stream.end()).toBe("[REDACTED_SECRET]");
  });
});
