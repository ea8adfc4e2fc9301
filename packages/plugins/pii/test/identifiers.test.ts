import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";

const found = (type: string, text: string): string[] =>
  detect(text, { types: [type] }).map(({ start, end }) => text.slice(start, end));

describe.each([
  ["us_ssn", "078-05-1121, 219 09 9998 and (899-77-1234).", ["078-05-1121", "219 09 9998", "899-77-1234"]],
  ["us_ssn", "the patient's SSN219-09-9998, ITIN 912-70-1234", ["219-09-9998", "912-70-1234"]],
  ["us_ssn", "000-12-3456, 666-12-3456, 900-12-3456, 123-00-4567, 123-45-0000, 078-05-1120, 219-09-9999", []],
  ["us_ssn", "912-70-1234, 123 45-6789, 1123-45-6789, 123-45-67890, 123-45-6789-0, a-123-45-6789, 0.123-45-6789", []],
  ["us_ssn", "123456789, ABC123-45-6789, 123-456-789", []],
  ["iban", "DE75512108001245126199, nl02abna0123456789.", ["DE75512108001245126199", "nl02abna0123456789"]],
  [
    "iban",
    "GB33 BUKB 2020 1555 5555 55 and NO83-3000-1234-567, then",
    ["GB33 BUKB 2020 1555 5555 55", "NO83-3000-1234-567"],
  ],
  [
    "iban",
    "账号DE75512108001245126199。IBAN:DE75512108001245126199",
    ["DE75512108001245126199", "DE75512108001245126199"],
  ],
  ["iban", "DE75 5121 0800 1245 1261 99 2024", ["DE75 5121 0800 1245 1261 99"]],
  ["iban", "DE76512108001245126199, XX75512108001245126199, DE7551210800124512619, xDE75512108001245126199", []],
  [
    "iban",
    "DE75 51210800 1245126199, De75512108001245126199, DE75 5121-0800 1245 1261 99, DE755121080012451261990",
    [],
  ],
  ["iban", "your IBAN is DE76512108001245126199", ["DE76512108001245126199"]],
])("%s in %j", (type, text, expected) => {
  it(`finds ${expected.length}`, () => {
    expect(found(type, text)).toEqual(expected);
  });
});

describe("where types overlap", () => {
  it.each([
    ["4111 1111 1111 1111", "credit_card"],
    ["078-05-1121", "us_ssn"],
    ["10.20.30.40", "ip"],
    ["00:1a:2b:ff:fe:3c:4d:5e", "mac"],
    ["DE75 5121 0800 1245 1261 99", "iban"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "crypto"],
    ["0612345678@example.com", "email"],
    ["https://example.com/+12125550147/078-05-1121", "url"],
  ])("%s is one %s and nothing else", (value, type) => {
    for (const text of [value, `Phone ${value}.`, `(${value})`])
      expect(detect(text).map((match) => [match.type, text.slice(match.start, match.end)])).toEqual([[type, value]]);
  });
});

describe("types that identify nobody", () => {
  it.each([
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-9Aj3Rk0rQ2xQw1m6D8Gq7k2f5cT3nV4bX1yZ6uW8sE0pL5hJ7gK9fD2aS4dF6gH8jK0lZ3xC5vB7nM1qW2eR4t==",
    "order 4839201745, invoice INV-2024-000123, ticket #84930217",
    "v1.2.3, 1.0.0-beta.4, 2.5.1, 3.14159, -122.41941550",
    "2024-01-15T10:30:00.000Z, 1705314600, 1705314600000, 10:30:45",
    "FF:FF:FF:FF:FF:FF, 00:00:00:00:00:00",
    "margin: 0 auto 12px 24px; color: #1234567; transform: matrix(1 0 0 1 120 240)",
    "README.md, main.py, index.ts, options.name, this.id, ASP.NET, System.Net, java.net, e.target, a.b.c",
  ])("%s", (text) => {
    expect(detect(`x ${text} x`)).toEqual([]);
  });
});

it("a mask leaves nothing that is found", () => {
  const values = {
    phone: "+1 212 555 0147",
    us_ssn: "078-05-1121",
    iban: "DE75512108001245126199",
    crypto: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    url: "shop.example.com/a",
  };
  const masked = Object.entries(values).map(([type, value]) => createRedactor({ [type]: "mask" }).redact(value));
  expect(masked).toEqual(["***-***-0147", "***-**-1121", "DE** **** 6199", "1BvB****NVN2", "***"]);
  for (const text of [...masked, masked.join(" ")]) expect(detect(text)).toEqual([]);
});
