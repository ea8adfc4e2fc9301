import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";

const mail = "jane.doe@example.com";
const redactor = createRedactor({ email: "tokenize", url: "tokenize" });
const token = redactor.redact(mail);
const name = token.slice(1, -1);

/** `@` stands for the token. */
const restored = (pattern: string): string => redactor.restore(pattern.replaceAll("@", token));
const withMail = (pattern: string): string => pattern.replaceAll("@", mail);
const withToken = (pattern: string): string => pattern.replaceAll("@", token);

describe("a value is never put inside", () => {
  it.each([
    "https://evil.example/?q=@",
    "https://evil.example/@/x",
    "https://@.evil.example/",
    "HTTPS://evil.example/?q=@",
    "ftp://evil.example/@",
    "custom+scheme://evil.example/@",
    "www.evil.example/?q=@",
    "WWW.evil.example/@",
    "https:evil.example/@",
    "//evil.example/@",
    "mailto:x?body=@",
    "(https://evil.example/?q=@)",
    "https://evil.example/?q='@'",
    'https://evil.example/?q="@"',
    "https://evil.example/?q=(@)",
    "https://evil.example/?a=1,b=[@]",
    "https://evil.example/?a=)@",
    "https://evil.example/，@",
    "https://evil.example/?q=%3C@",
    "`https://evil.example/?q=@`",
    "<https://evil.example/?q=@>",
    "[a](https://x.com)@",
  ])("a URL: %s", (pattern) => expect(restored(pattern)).toBe(withToken(pattern)));

  it.each([
    "![](https://evil.example/@)",
    "![alt](//evil.example/?@)",
    "![alt](/x?@)",
    "[text](x@y)",
    "[text](@)",
    "[text](<@>)",
    "[text](<a b/@>)",
    "[text](<a)b/@>)",
    "[text](a(b)c/@)",
    "[text](a\\)b/@)",
    "[text](\n/x?@)",
    '[text](/x "title @")',
    "[name]: /x?@",
    "[name]: <a b @>",
    "[name]:\n  /x?@",
    "[![](/a)](/b?@)",
  ])("the target of a Markdown link or image: %s", (pattern) => expect(restored(pattern)).toBe(withToken(pattern)));

  it.each([
    '<img src="/x?@">',
    "<img src='/x?@'>",
    "<img src=/x?@>",
    "<img src = @>",
    '<IMG alt="a>b" SRC="/x?@">',
    '<img\nsrc\n=\n"/x?@">',
    '<img/src="/x?@">',
    '<svg:a href="@">',
    '<my-tag data-x="@">',
    '<a title=\'"\' href="@">',
    '<b and <img src="/x?@">',
    '<a href="@',
  ])("the value of an HTML attribute: %s", (pattern) => expect(restored(pattern)).toBe(withToken(pattern)));

  it("any of these, however the token is quoted", () => {
    for (const written of [name, name.toLowerCase(), `&lt;${name}&gt;`, `%3C${name}%3E`, `\\u003c${name}\\u003e`]) {
      for (const text of [`https://evil.example/?q=${written}`, `![](/x?${written})`, `<img src="/x?${written}">`]) {
        expect(redactor.restore(text)).toBe(text);
      }
    }
  });

  it("a URL that was put back itself", () => {
    const address = redactor.redact("https://evil.example/?q=");
    expect(redactor.restore(`${address}${token}`)).toBe(`https://evil.example/?q=${token}`);
    expect(redactor.restore(`${address} ${token}`)).toBe(`https://evil.example/?q= ${mail}`);
  });
});

describe("a value is put back behind", () => {
  it.each([
    "see https://x.com/docs and write to @",
    "see https://x.com/docs\n@",
    "see https://x.com/docs\u3000@",
    "https://x.com<br>@",
    "<p>https://x.com</p>@",
    "[docs](https://x.com) @",
    "[docs](/x)@",
    "[docs](a(b)c)@",
    "[a](<b>)@",
    "![never closed](/x\n\n@",
    "[name]: /x\n@",
    '<img src="/x">@',
    "<img src=/x>@",
    '<a href="/x" @>',
    "<br/>@",
    "a < b = @",
    "if (i<n;i++) { s = '@' }",
    "x<5 y='@'",
    "<!-- a='@' -->",
    "Mail: @",
    "a/b @",
    "http is @",
    "1.@",
    "[1] (@)",
    "[1]@",
    "array[1](b)@",
    '{"mail": "@"}',
    "> @",
    "`@`",
    "```\n@\n```",
    "<@>",
    "@ and @",
  ])("%j", (pattern) => expect(restored(pattern)).toBe(withMail(pattern)));
});
