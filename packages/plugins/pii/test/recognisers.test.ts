import { describe, expect, it } from "@jest/globals";
import { detect } from "@suite/pii";

const found = (type: string, text: string): string[] =>
  detect(text, { types: [type] }).map(({ start, end }) => text.slice(start, end));

describe.each([
  ["email", "write to jane.doe+x@mail.example.co.uk.", ["jane.doe+x@mail.example.co.uk"]],
  ["email", "<jane@x.com>, (bob@y.org); mailto:eve@z.net?subject=x", ["jane@x.com", "bob@y.org", "eve@z.net"]],
  ["email", "我的邮箱是jane@x.com谢谢", ["jane@x.com"]],
  ["email", "почта jane@x.com, или jürgen@müller.de", ["jane@x.com", "jürgen@müller.de"]],
  ["email", "jane@x.com-thanks", ["jane@x.com"]],
  [
    "email",
    "jane%40x.com, jane\\u0040x.com and jane&#64;x.com",
    ["jane%40x.com", "jane\\u0040x.com", "jane&#64;x.com"],
  ],
  [
    "email",
    "jane@example。com, jane@mail.example｡com、jane@mail。example。co。jp",
    ["jane@example。com", "jane@mail.example｡com", "jane@mail。example。co。jp"],
  ],
  ["email", "ｊａｎｅ＠ｅｘａｍｐｌｅ。ｃｏｍ", ["ｊａｎｅ＠ｅｘａｍｐｌｅ。ｃｏｍ"]],
  [
    "email",
    "联系jane@x.com。In 2024 jane@example.com。请 jane@example。com。Please",
    ["jane@x.com", "jane@example.com", "jane@example。com"],
  ],
  ["email", "@jane。com, jane@corp。It is late, jane@corp。Next", []],
  ["email", "ja\u200bne@x\u00ad.com and ｊａｎｅ＠ｘ．ｃｏｍ", ["ja\u200bne@x\u00ad.com", "ｊａｎｅ＠ｘ．ｃｏｍ"]],
  [
    "email",
    "ja\u3164ne@x.com ja\u1160ne@x.com jane@\u17b4x.com jane@x.\uffa0com",
    ["ja\u3164ne@x.com", "ja\u1160ne@x.com", "jane@\u17b4x.com", "jane@x.\uffa0com"],
  ],
  ["email", "@jane, user@, user@host, lodash@4.17.21, icon@2x.png", []],
  ["email", 'from "jane.o"@x.com and {"a":"b","c":"jane@x.com"}', ['"jane.o"@x.com', "jane@x.com"]],
  ["email", "jane@m中ller.com，bob@中国.cn，或eve@x.com谢谢", ["jane@m中ller.com", "bob@中国.cn", "eve@x.com"]],
  ["email", "o’brien@x.com said ‘jane@x.com’, it’s so", ["o’brien@x.com", "jane@x.com"]],
  ["email", "иван@example.com, иванov@x.com, jane@пример.рф", ["иван@example.com", "иванov@x.com", "jane@пример.рф"]],
  [
    "email",
    "jane=40x.com, jane%2540x.com, j%C3%BCrgen%40m%C3%BCller.de, total=4051.35 a=40",
    ["jane=40x.com", "jane%2540x.com", "j%C3%BCrgen%40m%C3%BCller.de"],
  ],
  ["email", "so...jane@x.com but neither .bob@x.com nor a..eve@x.com", ["jane@x.com"]],
  [
    "credit_card",
    "4111 1111 1111 1111, 4111-1111-1111-1111, 5555555555554444",
    ["4111 1111 1111 1111", "4111-1111-1111-1111", "5555555555554444"],
  ],
  ["credit_card", "amex 3782 822463 10005 of 2030", ["3782 822463 10005"]],
  ["credit_card", "since 12 4111 1111 1111 1111 12 25", ["4111 1111 1111 1111"]],
  ["credit_card", "卡号4111111111111111。", ["4111111111111111"]],
  [
    "credit_card",
    "４１１１１１１１１１１１１１１１ and ٤١١١١١١١١١١١١١١١",
    ["４１１１１１１１１１１１１１１１", "٤١١١١١١١١١١١١١١١"],
  ],
  ["credit_card", "4111\u31641111\u061c1111\u180b1111", ["4111\u31641111\u061c1111\u180b1111"]],
  ["credit_card", "4111\u200b1111\u200b1111\u200b1111", ["4111\u200b1111\u200b1111\u200b1111"]],
  ["credit_card", "4111111111111112, 0.4111111111111111, 4111\n1111 1111 1111, 41111111111111111111", []],
  ["credit_card", "f47ac10b-58cc-4372-a567-411111111111 1700000000000", []],
  ["credit_card", "3500000000000009 is not, card no. 3500000000000009 is", ["3500000000000009"]],
  ["ip", "from 192.168.0.1:8080, 10.0.0.0/8 and 8.8.8.8.", ["192.168.0.1", "10.0.0.0", "8.8.8.8"]],
  [
    "ip",
    "[2001:db8::1]:443 ::1 ::ffff:10.1.2.3 fe80::1%eth0",
    ["2001:db8::1", "::1", "::ffff:10.1.2.3", "fe80::1%eth0"],
  ],
  ["ip", "host:2001:db8::2 addr=fe80::3, 电脑IP是1.1.1.2", ["2001:db8::2", "fe80::3", "1.1.1.2"]],
  ["ip", "a::b and :: are not, IPv6 address :: is", ["::"]],
  ["ip", "v1.2.3.4, 1.2.3, 1.2.3.4.5, 1.2.3.4-beta, 256.1.1.1, std::add, a::before, 12:30:45, 2001::db8::1", []],
  [
    "mac",
    "00:1A:2b:3c:4D:5e 00-1a-2b-3c-4d-5e 001a.2b3c.4d5e",
    ["00:1A:2b:3c:4D:5e", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e"],
  ],
  ["mac", "EUI-64 02:1a:2b:ff:fe:3c:4d:5e; mac:00:1a:2b:3c:4d:5e.", ["02:1a:2b:ff:fe:3c:4d:5e", "00:1a:2b:3c:4d:5e"]],
  ["mac", "MAC 00 1A 2B 3C 4D 5E, not 00 1a 2b 3c 4d 5f 60", ["00 1A 2B 3C 4D 5E"]],
  ["mac", "MAC 123 45 67 89 01 23 45", ["45 67 89 01 23 45"]],
  ["mac", "00 1A 2B 3C 4D 5E, FF:FF:FF:FF:FF:FF, 00-00-00-00-00-00", []],
  ["mac", "00:1a:2b:3c:4d, 00:1a:2b:3c:4d:5e:6f, 12:30:45, 1234.5678.9012", []],
  [
    "url",
    "see https://x.com/a_(b)?c=d#e. (http://y.org/z), www.example.com!",
    ["https://x.com/a_(b)?c=d#e", "http://y.org/z", "www.example.com"],
  ],
  [
    "url",
    "访问https://x.com/a，谢谢 HTTP://USER:pw@X.com:8080/ ftp://f.org",
    ["https://x.com/a", "HTTP://USER:pw@X.com:8080/", "ftp://f.org"],
  ],
  ["url", "http://[2001:db8::1]:80/x http://10.0.0.1/", ["http://[2001:db8::1]:80/x", "http://10.0.0.1/"]],
  ["url", "https:// :// www. awww.nice http://", []],
  [
    "url",
    "see shop.example.com/a?b=1, example.co.uk: example.org.",
    ["shop.example.com/a?b=1", "example.co.uk", "example.org"],
  ],
  ["url", '访问example.com谢谢, "example.de:8080" EXAMPLE.ORG', ["example.com", "example.de:8080", "EXAMPLE.ORG"]],
  ["url", "a link to acme.dev, acme.dev/docs, пример.рф", ["acme.dev", "acme.dev/docs", "пример.рф"]],
  ["url", "acme.dev README.md main.py console.log a.name e.id System.Net ASP.NET java.net com.acme.fr", []],
  ["url", "jane@example.com $example.com _example.com a/example.com example.com( example.com:500000 #example.com", []],
  [
    "url",
    "http://例子.中国/路径 和 http://例え.jp。 http://exämple.de谢谢",
    ["http://例子.中国/路径", "http://例え.jp", "http://exämple.de"],
  ],
  ["url", "http://-a.com http://a-.com http://a_b.com http://my_host:80/x", ["http://my_host:80/x"]],
  [
    "url",
    "(see http://x.com/a)b http://x.com/it's http://x.com/a|b",
    ["http://x.com/a", "http://x.com/it", "http://x.com/a"],
  ],
  ["url", "https://[the word ] http://[host]/ http://[fe80::1%25eth0]/", ["http://[fe80::1%25eth0]/"]],
])("%s in %j", (type, text, expected) => {
  it(`finds ${expected.length}`, () => {
    expect(found(type, text)).toEqual(expected);
  });
});

describe("detect", () => {
  it("looks for every built-in type when none is named, and gives sorted matches without overlaps", () => {
    const text = "jane@x.com from 10.0.0.1 (00:1a:2b:3c:4d:5e) paid 4111111111111111 at https://x.com/?u=jane@x.com";
    const matches = detect(text);
    expect(matches.map((match) => match.type)).toEqual(["email", "ip", "mac", "credit_card", "url"]);
    for (const [index, { start }] of matches.entries())
      expect(start).toBeGreaterThanOrEqual(matches[index - 1]?.end ?? 0);
  });

  it("uses the match with the higher score of two types", () => {
    expect(detect("02:1a:2b:ff:fe:3c:4d:5e").map((match) => match.type)).toEqual(["mac"]);
  });

  it("knows mac under its second name", () => {
    expect(detect("00:1a:2b:3c:4d:5e", { types: ["mac_address"] })[0]?.type).toBe("mac_address");
  });

  it("refuses a type that it does not know", () => {
    expect(() => detect("x", { types: ["shoe_size"] })).toThrow(
      expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
    );
  });
});
