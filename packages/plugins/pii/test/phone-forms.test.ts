import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";

const found = (text: string, regions?: readonly string[]): string[] =>
  createRedactor({ phone: { strategy: "redact", ...(regions && { regions }) }, ip: "redact" })
    .detect(text)
    .map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe("numbers of France in pairs with dots", () => {
  it.each([
    "Appelez-moi au 06.12.34.56.78 svp",
    "Jean,06.12.34.56.78,Paris",
    '{"a":"06.12.34.56.78"}',
    "06.12.34.56.78",
  ])("are phone numbers: %s", (text) => {
    expect(found(text)).toEqual(["phone 06.12.34.56.78"]);
  });

  it.each(["10.12.34.56.78", "v06.12.34.56.78.90", "06.12.34"])("are not: %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("digits in one piece", () => {
  it.each([
    ["请打15105460397找我", "CN", "15105460397"],
    ["微信同号13812345678", "CN", "13812345678"],
    ["张三,13812345678,北京", "CN", "13812345678"],
    ["chiama 3331234567 ora", "IT", "3331234567"],
    ["ring 40612345 da", "NO", "40612345"],
  ])("are a phone number of a region of the rule: %s", (text, region, number) => {
    expect(found(text, [region])).toEqual([`phone ${number}`]);
    expect(found(text)).toEqual([]);
  });

  it("are an order number after a word that says so", () => {
    expect(found("order 13812345678", ["CN"])).toEqual([]);
  });
});

describe("phone ignores other numbers", () => {
  it.each([
    ["the reply of a mail server", "contact: 550-5.1.1 The email account does not exist"],
    ["a later number of a row", "(1, 'Call Me a Dog', 269, 2, 23, NULL, 304458, 5177612)"],
  ])("%s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("but the first number after a verb is one", () => {
    expect(found("call me at 4155552671")).toEqual(["phone 4155552671"]);
  });
});

describe("frames of stacks", () => {
  it.each(["value@index.android.bundle:12:1917", "s@33.js:1:531"])("are no e-mail addresses: %s", (text) => {
    expect(detect(text, { types: ["email"] })).toEqual([]);
  });

  it.each(["mail jane@example.com: hi", "jane@example.com:12"])("%s is one", (text) => {
    expect(detect(text, { types: ["email"] })).toHaveLength(1);
  });
});
