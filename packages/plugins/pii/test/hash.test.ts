import { describe, expect, it } from "@jest/globals";
import { createRedactor, defaultTypes, type Rules } from "@suite/pii";
import { recogniserOf } from "../src/recognisers/registry.js";

const hashKey = { id: "test", key: "0123456789abcdef" };
/** Wherever a word has to say so, it stands there. */
const hashOf = (type: string, value: string, rule: object = {}): string => {
  const rules: Rules = { [type]: { strategy: "hash", ...rule } };
  return createRedactor(rules, { hashKey }).redact(`${label[type] ?? "is"}: ${value} .`);
};
const label: Readonly<Record<string, string>> = {
  us_ssn: "SSN",
  phone: "phone",
  credit_card: "card",
  ip: "host",
  mac: "MAC",
};

/** Spellings of one value in each list, by type. */
const spellings: Readonly<Record<string, readonly (readonly string[])[]>> = {
  email: [
    ["jane@example.com", "jane@EXAMPLE.com", "jane%40example.com", "jane＠example.com", "ja\u200bne@example.com"],
    ["Jane@example.com"],
    ["zoë@example.com", "zoe\u0308@example.com"],
  ],
  credit_card: [
    ["4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111111", "４１１１ １１１１ １１１１ １１１１"],
    ["5555555555554444"],
  ],
  ip: [
    ["10.1.2.3", "010.001.002.003", "::ffff:10.1.2.3", "10%2e1%2e2%2e3"],
    ["2001:db8::1", "2001:DB8:0:0:0:0:0:1", "2001:0db8::0001"],
    ["2001:db8::2"],
    ["fe80::1%eth0"],
    ["fe80::1%eth1"],
  ],
  mac: [["00:1a:2b:3c:4d:5e", "00-1A-2B-3C-4D-5E", "001a.2b3c.4d5e", "00 1a 2b 3c 4d 5e"], ["00:1a:2b:3c:4d:5f"]],
  url: [
    ["https://example.com/A?b", "HTTPS://EXAMPLE.com:443/A?b"],
    ["https://example.com/a?b"],
    ["http://example.com/A?b"],
    ["www.example.com", "WWW.EXAMPLE.com"],
  ],
  phone: [
    ["+1 212 555 0147", "+1 (212) 555-0147", "001 212 555 0147", "+1.212.555.0147", "+１ ２１２ ５５５ ０１４７"],
    ["+49 30 901820", "+49 (0)30 901820"],
    ["212-555-0147", "(212) 555-0147", "2125550147"],
    ["+1 212 555 0147 ext. 12", "+1 212 555 0147 x12"],
  ],
  us_ssn: [["536-90-4399", "536 90 4399", "536904399"], ["536-90-4398"]],
  iban: [
    ["DE75 5121 0800 1245 1261 99", "DE75512108001245126199", "de75512108001245126199", "DE75-5121-0800-1245-1261-99"],
    ["NL02ABNA0123456789"],
  ],
  crypto: [
    [
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
      "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
    ],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
  ],
};

describe("the hash of a value in several spellings", () => {
  it("has a test for each type whose values have several", () => {
    const several = defaultTypes.filter((type) => recogniserOf(type)?.normal !== undefined);
    expect(Object.keys(spellings).sort()).toEqual([...several].sort());
  });

  it.each(Object.entries(spellings))("is one for each %s, and no other value's", (type, values) => {
    const hashes = values.map((same) => [...new Set(same.map((value) => hashOf(type, value)))]);
    for (const [index, some] of hashes.entries()) {
      expect([values[index], some]).toEqual([values[index], [expect.stringMatching(/^\w+: <\w+_hash:\w{16}> \.$/)]]);
    }
    expect(new Set(hashes.flat()).size).toBe(values.length);
  });

  it("is that of the number abroad, where a rule knows the region", () => {
    const regions = ["US", "DE"];
    const abroad = hashOf("phone", "+1 212 555 0147", { regions });
    for (const value of ["212-555-0147", "(212) 555-0147"]) expect(hashOf("phone", value, { regions })).toBe(abroad);
    expect(hashOf("phone", "030 2312500", { regions })).toBe(hashOf("phone", "+49 30 2312500", { regions }));
    expect(hashOf("phone", "212-555-0147")).not.toBe(hashOf("phone", "+1 212 555 0147"));
  });

  it("is of the value as it is written, for other types", () => {
    const rule = { recognizer: /tck-\d+/i };
    expect(hashOf("ticket", "TCK-1", rule)).not.toBe(hashOf("ticket", "tck-1", rule));
  });
});

it("a token gives back the spelling that it was made for", () => {
  const redactor = createRedactor({ email: "tokenize", credit_card: "tokenize" });
  const text = "jane@x.com, jane@X.com, 4111 1111 1111 1111, 4111-1111-1111-1111";
  expect(redactor.restore(redactor.redact(text))).toBe(text);
});
