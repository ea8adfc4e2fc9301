import { describe, expect, it } from "@jest/globals";
import { detect } from "@suite/pii";

const found = (type: string, text: string): string[] =>
  detect(text, { types: [type] }).map(({ start, end }) => text.slice(start, end));

/** Surroundings that a value may have: prose of several scripts, markup, data, source code, logs. */
const around: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["See ", ". Then"],
  ["It is ", "..."],
  ["At ", ", or"],
  ["Is it ", "? Yes"],
  ["see (at ", ")."],
  ["<", ">"],
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["„", "“"],
  ["« ", " »"],
  ["「", "」"],
  ["网址是 ", "。谢谢"],
  ["请看 ", "，谢谢"],
  ["انظر ", "، ثم"],
  ["देखें ", "। फिर"],
  ["see ", "—and"],
  ["see ", "… more"],
  ["[text](", ' "Title")'],
  ["**", "**, "],
  ["_", "_"],
  ["~~", "~~"],
  ["|a|", "|b|"],
  ['<a href="', '">x</a>'],
  ["<td>", "</td>"],
  ["&quot;", "&quot;"],
  ["&lt;", "&gt; x"],
  ["", "&nbsp;x"],
  ["[url]", "[/url]"],
  ['{"u":"', '","b":1}'],
  ['{\\"u\\":\\"', '\\",\\"b\\":1}'],
  ["a\\n", "\\nb"],
  ["['", "', 'x']"],
  ["7,", "\n8,x"],
  ["a\t", "\tb"],
  ["GET ", " 200"],
  ["url=", " status=200"],
  ["x=$(get ", "); y"],
  ["get ", "\\\n -x"],
  ["- ", "\n- x"],
  ["List: <", ">, <x>"],
  ["/* see ", " */"],
  ["\u2066", "\u2069 x"],
  ["x\u3000", "\u3000x"],
  ["👉", "👈"],
];

function expectFound(type: string, value: string): void {
  for (const [before, after] of around) expect(found(type, before + value + after)).toEqual([value]);
}

/** Addresses by RFC 3986, RFC 3987 and UTS 46. */
const urls = [
  "http://foo.example",
  "HTTP://Example.COM/Path",
  "https://www.shop.co.uk/",
  "ftp://ftp.acme.org/pub/x.tar.gz",
  "http://localhost:3000/a?b=c",
  "https://intranet/wiki",
  "http://my_service:8080/health",
  "http://[2001:db8::1]:8080/x?y",
  "ftp://anonymous:guest99@ftp.acme.org/pub",
  "https://en.acme.org/wiki/Rust_(language)",
  "https://acme.org/@user/post",
  "https://acme.org/a/$x/!y/*z/w",
  "https://acme.org/it's/here",
  "https://acme.org/?a[]=1&a[]=2",
  "https://acme.org/s?u=https://other.org/x&y=2",
  "https://acme.org/#!/users/7",
  "https://bücher.example/käse?straße=ß",
  "https://сайт.com/путь",
  "http://почта.россия-онлайн.рф/путь/к?ключ=знач#якорь",
  "http://παράδειγμα.ελ/σελίδα",
  "http://مثال.موقع/صفحة",
  "http://उदाहरण.भारत/पृष्ठ",
  "http://ตัวอย่าง.ไทย/หน้า",
  "https://a例子b.com/x",
  "http://例子.中国/路径?键=值",
  "https://mü例.com/",
  "https://zh.acme.org/wiki/中国",
  "https://ja.acme.org/wiki/東京_(曖昧さ回避)",
  "https://acme.org/s?q=서울&l=ko",
  "http://➡.ws/䨹",
  "https://💡.acme.org/a",
  "www.例子.com/a",
  "www.example.org",
  "sub.acme.co.uk/path?x=1",
  "почта.пример.рф/путь",
];

describe("url finds the end of an address", () => {
  it.each(urls)("%s", (value) => expectFound("url", value));

  it.each([
    ["https://a.org/x,Jane,7\nhttps://b.org/,Bob,8\n", ["https://a.org/x", "https://b.org/"]],
    ["id\nhttps://a.org/@1.5,2.5/data=3\n", ["https://a.org/@1.5,2.5/data=3"]],
    ["github.com/a/b,v1.0.0,h1:3a/5c=\ngithub.com/c;01/02/2024\n", ["github.com/a/b", "github.com/c"]],
    ["https://a.org/x,https://b.org/y", ["https://a.org/x", "https://b.org/y"]],
    ["https:\\/\\/a.org\\/a%20b?x=1\\u0026y=2", ["https:\\/\\/a.org\\/a%20b?x=1\\u0026y=2"]],
    ["https:\\/\\/例子.中国\\/路径", ["https:\\/\\/例子.中国\\/路径"]],
    ['src="//cdn.example.com/x.js" //note a//b.com', ["//cdn.example.com/x.js"]],
    ["*example.com* **example.org/a** *.example.com _dmarc.example.com", ["example.com", "example.org/a"]],
    ["/* https://a.org/x*/ {@link https://a.org/y}", ["https://a.org/x", "https://a.org/y"]],
    [
      "见https://a.org/然后 https://a.org/docs/をご覧 https://a.org/x谢谢",
      ["https://a.org/", "https://a.org/docs/", "https://a.org/x"],
    ],
    ["http://x.com😀 http://localhost😀 http://→", ["http://x.com", "http://localhost"]],
  ])("in %s", (text, expected) => {
    expect(found("url", text)).toEqual(expected);
  });
});

describe("email finds the end of an address", () => {
  it.each([
    "jane@x.com",
    "j_d-1.x+y@sub.a-b.org",
    "o'brien@example.ie",
    "o’brien@example.ie",
    "jürgen@bücher.example",
    "jane@xn--mller-kva.de",
    "иван.петров@почта.рф",
    "γιάννης@παράδειγμα.ελ",
    "مثال@مثال.موقع",
    "राम@उदाहरण.भारत",
    "jane@例子.中国",
    "kim@예제.한국",
    "jane@ตัวอย่าง.ไทย",
    "用户@例子.中国",
    "사용자@example.com",
  ])("%s", (value) => expectFound("email", value));

  it("excludes Chinese text before and after it", () => {
    expect(found("email", "邮箱jane@bücher.example谢谢, 感谢@someone, 你好@x.y")).toEqual(["jane@bücher.example"]);
  });
});
