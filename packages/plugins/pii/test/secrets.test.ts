import { crc32 } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";
import { ai } from "../src/recognisers/secret/formats/ai.js";
import { clouds } from "../src/recognisers/secret/formats/clouds.js";
import { code } from "../src/recognisers/secret/formats/code.js";
import { messaging } from "../src/recognisers/secret/formats/messaging.js";
import { observability } from "../src/recognisers/secret/formats/observability.js";
import { payments } from "../src/recognisers/secret/formats/payments.js";
import { services } from "../src/recognisers/secret/formats/services.js";
import { vaults } from "../src/recognisers/secret/formats/vaults.js";
import { drawing, seeded } from "./draw.js";

const random = seeded(20);
const draw = (pattern: RegExp): string => drawing(pattern, random)();
const only = { types: ["secret"] };
const found = (text: string): string[] => detect(text, only).map(({ start, end }) => text.slice(start, end));
const alphanumeric = (length: number): string => draw(new RegExp(`[\\dA-Za-z]{${length}}`));
const hexadecimal = (length: number): string => draw(new RegExp(`[\\da-f]{${length}}`));
const github = `ghp_${alphanumeric(36)}`;

describe("tokens by published formats", () => {
  const tables = { ai, clouds, vaults, code, payments, messaging, observability, services };

  it.each(Object.entries(tables))("are found whole, wherever they stand: %s", (_, table) => {
    const missed: string[] = [];
    for (const [prefixes, rest, check] of Object.values(table).flat()) {
      for (const prefix of prefixes.split(" ")) {
        const body = draw(rest);
        const token = prefix + body;
        if (check?.(body) === 0 || /[.]$/.test(token) || !/\d/.test(body)) continue;
        for (const text of [
          token,
          `use "${token}" now`,
          `-H 'X-Key: ${token}'`,
          `(${token}), and`,
          `[key](${token})`,
          `KEY=${token}\n`,
          `first\\n${token}\\n`,
          `看${token}。`,
          `{\\"k\\":\\"${token}\\n`,
        ]) {
          if (!found(text).includes(token)) missed.push(text);
        }
        // A part of a word, masked, or cut.
        for (const text of [`x${token}`, `${token.slice(0, prefix.length + 6)}********`, `${prefix}xxxxxxxxxxxx`]) {
          if (found(text).includes(token) || found(text).includes(text)) missed.push(text);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it.each([
    ["Telegram", `${draw(/[1-9]\d{9}/)}:AA${draw(/[\w-]{33}/)}`],
    ["Mailchimp", `${hexadecimal(32)}-us21`],
    ["Mailgun", `${hexadecimal(32)}-${hexadecimal(8)}-${hexadecimal(8)}`],
    ["Terraform", `${alphanumeric(14)}.atlasv1.${alphanumeric(67)}`],
    ["Entra ID", `${alphanumeric(3)}8Q~${draw(/[\w.~-]{33}/)}a`],
    ["Azure DevOps", `${alphanumeric(76)}AZDO${alphanumeric(4)}`],
    ["Azure Storage", `${alphanumeric(76)}+ASt${alphanumeric(5)}A==`],
    ["Ghost", `${hexadecimal(24)}:${hexadecimal(64)}`],
    ["Tableau", `${alphanumeric(22)}==:${alphanumeric(32)}`],
    ["New Relic mobile", `AA${hexadecimal(40)}-NRMA`],
    ["MaxMind", `${alphanumeric(6)}_${alphanumeric(29)}_mmk`],
    ["Slack webhook", `https://hooks.slack.com/services/T${alphanumeric(9)}/B${alphanumeric(9)}/${alphanumeric(24)}`],
  ])("are found where the provider's mark stands inside: %s", (_, token) => {
    expect(found(`it is ${token}, see`)).toEqual([token]);
  });

  it("are certain with the checksum of GitHub and npm, and less so without", () => {
    const body = alphanumeric(30);
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let rest = crc32(body);
    let checksum = "";
    for (; checksum.length < 6; rest = Math.floor(rest / 62)) checksum = `${digits.charAt(rest % 62)}${checksum}`;
    const wrong = checksum.startsWith("0") ? `1${checksum.slice(1)}` : `0${checksum.slice(1)}`;
    for (const prefix of ["ghp_", "ghs_", "npm_"]) {
      expect(detect(prefix + body + checksum, only)[0]?.score).toBe(1);
      expect(detect(prefix + body + wrong, only)[0]?.score).toBe(0.97);
    }
  });

  it("are found through hidden forms", () => {
    for (const token of [github.replace("_", "_\u200b"), github.replace("_", "%5F"), github.replace("g", "ｇ")]) {
      expect(found(`see ${token} ok`)).toEqual([token]);
    }
  });
});

describe("a look-alike of a secret", () => {
  it.each([
    ["too short", github.slice(0, -1)],
    ["too long", `${github}a`],
    ["another alphabet", `${github.slice(0, 20)}+${github.slice(21)}`],
    ["a part of a word", `x${github}`],
    ["masked", `${github.slice(0, 20)}********************`],
    ["cut", `${github.slice(0, 30)}...`],
    ["a placeholder", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
    ["an example", `AKIAIOSFODNN7${"example".toUpperCase()}`],
    ["a publishable key", `pk_live_${alphanumeric(24)}`],
    ["a commit", hexadecimal(40)],
    ["a digest", `sha256:${hexadecimal(64)}`],
    ["an integrity string", `"integrity": "sha512-${draw(/[\dA-Za-z+/]{86}/)}=="`],
    ["a UUID", "id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
    ["an image", `data:image/png;base64,iVBORw0KGgo${draw(/[\dA-Za-z+/]{400}/)}=`],
    ["a public key", `public_key = "${draw(/[\dA-Za-z+/]{43}/)}="`],
    ["minified code", "function(e,t){return e.a1b2c3=t.x9_y8z7||0}"],
  ])("is left alone: %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("JSON Web Tokens", () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = part({ sub: "nobody" });

  it.each([
    ["signed", `${part({ alg: "HS256" })}.${claims}.${draw(/[\w-]{43}/)}`],
    ["unsigned", `${part({ alg: "none" })}.${claims}.`],
    [
      "encrypted",
      `${part({ alg: "dir", enc: "A256GCM" })}..${draw(/[\w-]{16}/)}.${draw(/[\w-]{40}/)}.${draw(/[\w-]{22}/)}`,
    ],
    ["with a long header", `${part({ alg: "RS256", x5c: [alphanumeric(3000)] })}.${claims}.${draw(/[\w-]{342}/)}`],
  ])("are found: %s", (_, token) => {
    expect(found(`Bearer ${token} a=b`)).toEqual([token]);
  });

  it.each([
    ["two parts", `${part({ alg: "HS256" })}.${claims}`],
    ["no JSON in front", `eyJ${alphanumeric(20)}.${claims}.${alphanumeric(43)}`],
    ["no algorithm", `${part({ kid: "k" })}.${claims}.${alphanumeric(43)}`],
  ])("are not what has %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("are replaced once where they are longer than what is held back", () => {
    const token = `${part({ alg: "HS256" })}.${alphanumeric(20_000)}.${alphanumeric(43)}`;
    expect(createRedactor({ secret: "redact" }).redact(`a ${token} b`)).toBe("a [REDACTED_SECRET] b");
  });
});

describe("a secret", () => {
  it("counts as one also inside an address, so that a rule for it is not lost", () => {
    const text = `https://x.com/?a=1&token=${github}&b=2`;
    expect(detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])).toContainEqual([
      "secret",
      github,
    ]);
    expect(() => createRedactor({ url: "mask", secret: "block" }).redact(text)).toThrow(
      expect.objectContaining({ code: "ERR_PII_BLOCKED", types: ["secret"] }),
    );
  });

  it("keeps nothing but the name of its provider when it is masked", () => {
    const redactor = createRedactor({ secret: "mask" });
    const text = `${github} sk_live_${alphanumeric(24)} password="patricia99"`;
    expect(redactor.redact(text)).toBe('ghp_**** sk_live_**** password="****"');
  });
});
