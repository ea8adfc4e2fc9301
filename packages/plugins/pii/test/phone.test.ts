import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";
import { type CountryCode, getCountries, getExampleNumber, type PhoneNumber } from "libphonenumber-js/core";
import examples from "libphonenumber-js/examples.mobile.json";
import metadata from "libphonenumber-js/metadata.min.json";

const found = (text: string, types?: string[]): string[] =>
  detect(text, types && { types })
    .filter(({ type }) => type === "phone")
    .map(({ start, end }) => text.slice(start, end));

const countries = getCountries(metadata).flatMap((country): readonly [CountryCode, PhoneNumber][] => {
  const number = getExampleNumber(country, examples, metadata);
  return number ? [[country, number]] : [];
});

describe("numbers of every country of libphonenumber", () => {
  it("are found with their calling code, in one piece and in groups", () => {
    const missed = countries.filter(([, number]) => {
      const forms = [number.number, number.formatInternational()];
      return forms.some((form) => found(`on ${form}, please`)[0] !== form);
    });
    expect(missed.map(([country]) => country)).toEqual([]);
  });

  it("are found in national form after a word for phones", () => {
    const long = countries.filter(([, { nationalNumber }]) => nationalNumber.length > 6);
    const missed = long.filter(([, number]) => found(`call ${number.formatNational()} now`).length === 0);
    expect(missed.map(([country]) => country)).toEqual([]);
  });

  it("are found in national form if the rule names the country", () => {
    const long = countries.filter(([, { nationalNumber }]) => nationalNumber.length > 8);
    const missed = long.filter(([country, number]) => {
      const text = `on ${number.formatNational()}.`;
      return createRedactor({ phone: { strategy: "redact", regions: [country] } }).detect(text).length === 0;
    });
    expect(missed.map(([country]) => country)).toEqual([]);
  });
});

describe.each([
  ["ring (212) 555-0147 or 212-555-0148", ["(212) 555-0147", "212-555-0148"]],
  ["212.555.0147, 1-212-555-0148", ["212.555.0147", "1-212-555-0148"]],
  [
    "+1 (212) 555-0147 x77, (212)555-0148x9 and 212-555-0149 ext. 12",
    ["+1 (212) 555-0147 x77", "(212)555-0148x9", "212-555-0149 ext. 12"],
  ],
  ["+44 (0)20 7946 0018; 0044 20 7946 0019", ["+44 (0)20 7946 0018", "0044 20 7946 0019"]],
  ["(+49) 30 23125 000 ((030) 23125-001)", ["(+49) 30 23125 000", "(030) 23125-001"]],
  ["030 23125000, 0151/23125000, 01 99 00 12 34", ["030 23125000", "0151/23125000", "01 99 00 12 34"]],
  ["8 (912) 345-67-80, +7 912 345-67-80", ["8 (912) 345-67-80", "+7 912 345-67-80"]],
  ["请拨打+86 10 6552 9988。", ["+86 10 6552 9988"]],
  ["in 2020 (212) 555-0147 rang, in 2021 nobody", ["(212) 555-0147"]],
  ["mail,+1 212 555 0147,2024", ["+1 212 555 0147"]],
  ["tel:+12125550147;x", ["+12125550147"]],
  ["+１ ２１２ ５５５ ０１４７ and +1\u200b2125550147", ["+１ ２１２ ５５５ ０１４７", "+1\u200b2125550147"]],
])("phone in %j", (text, expected) => {
  it(`finds ${expected.length}`, () => {
    expect(found(text)).toEqual(expected);
  });
});

it.each([
  "order 12345678, account 0123456789",
  "2024-01-15 12:30:45, 15.01.2024, 01/15/2024, 1998-2004, 5.1.0 (2017-07-05)",
  "192.168.10.12, v1.2.3.4567, 3.14159265, 1.234.567.890, 1,234,567",
  "f47ac10b-58cc-4372-8567-012345678901, 1700000000, 1700000000000, 20240115",
  "$1234567890, #12345678, 12345678%, id-12345678, a/12345678, 12345678@x.com, 12345678_x",
  "4111 1111 1111 1111, 219-09-9998, DE75 5121 0800 1245 1261 99",
  "M12 34 56 78 90l12 34, 06 09 60 86 48 01 65 03, 00 01 02 03 04 05",
  "x=5*e+3864292196>>>0, +12, 1e+10, 5+12345678",
  "212-555\n0147, 2125550147",
])("nothing that is no phone number: %j", (text) => {
  expect(found(text)).toEqual([]);
});

describe("digits alone", () => {
  it("are phone numbers after a word for phones, in many languages", () => {
    for (const before of [
      "Phone: ",
      "mobile ",
      "Telefon ",
      "téléphone : ",
      "телефон ",
      "电话是",
      "הטלפון: טלפון ",
      "phoneNumber=",
      "FAX ",
    ])
      expect(found(`${before}21255501`)).toEqual(["21255501"]);
  });

  it.each(["63243940", "20260419093344", "4839201745", "5551234", "12345678901", "1776591224", "123 456"])(
    "are none as a whole text: %s",
    (text) => {
      expect(found(text)).toEqual([]);
      expect(createRedactor({ phone: "redact" }).value({ content: text, text: [text] })).toEqual({
        content: text,
        text: [text],
      });
    },
  );

  it("are not found in a time, regardless of the text before it", () => {
    expect(found("Phone: 20260419093344, Fax: 202604190933, Tel: 20260419093344123")).toEqual([]);
  });

  it("are found as a whole text if the rule names the country", () => {
    const redactor = createRedactor({ phone: { strategy: "redact", regions: ["SG"] } });
    expect(["63243940", "43243940"].map((text) => redactor.redact(text))).toEqual(["[REDACTED_PHONE]", "43243940"]);
  });

  it("with a trunk zero are phone numbers as a whole text, but not as a field", () => {
    expect(found("0612345678")).toEqual(["0612345678"]);
    expect(found("0612345678 and")).toEqual([]);
    const redactor = createRedactor({ phone: "redact" });
    const ids = { orderId: "0612345678", total: 12345678, list: ["0612345678", 61234567], reference: "0612345678" };
    expect(redactor.value(ids)).toBe(ids);
    expect(redactor.value({ content: "0612345678", mobile: 61234567 })).toEqual({
      content: "[REDACTED_PHONE]",
      mobile: "[REDACTED_PHONE]",
    });
  });
});

describe("regions", () => {
  it("make surer what exists in one of them", () => {
    const text = "612 34 56 78";
    expect(detect(`x ${text} x`)).toEqual([]);
    for (const [region, count] of [
      ["ES", 1],
      ["US", 0],
    ] as const) {
      const redactor = createRedactor({ phone: { strategy: "redact", regions: [region] } });
      expect(redactor.detect(`x ${text} x`)).toHaveLength(count);
    }
  });

  it("are checked when the rule is made", () => {
    for (const rules of [
      { phone: { strategy: "redact", regions: ["XX"] } },
      { phone: { strategy: "redact", regions: [] } },
      { email: { strategy: "redact", regions: ["US"] } },
    ] as const)
      expect(() => createRedactor(rules)).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
  });
});
