import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";

const mail = "jane.doe@example.com";
const redactor = createRedactor({ email: "tokenize", url: "tokenize" });
const token = redactor.redact(mail);
const name = token.slice(1, -1);

/** `@` stands for the token. */
const restored = (pattern: string): string => redactor.restore(pattern.replaceAll("@", token));
/** The restored text of a stream of pieces, cut at each place and at all of them. */
const streamed = (pattern: string): readonly string[] => {
  const text = withToken(pattern);
  const cuts = Array.from({ length: text.length }, (_, at) => [at]);
  return [...cuts, cuts.flat()].map((at) => {
    const stream = redactor.restoreStream();
    const out = at.map((cut, index) => stream.push(text.slice(at[index - 1] ?? 0, cut)));
    return out.join("") + stream.push(text.slice(at.at(-1))) + stream.end();
  });
};
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
    "ftp:evil.example/@",
    "ftps:@",
    "wss:x@",
    "data:text/html,@",
    "data:text/html;base64,@",
    "(data:,@)",
    "evil.com/@",
    "evil.com/a/b?q=@",
    "EVIL.COM/@",
    "evil.com:8080/@",
    "evil.com?q=@",
    "evil.com#@",
    "evil.com./@",
    "evil.com\\/@",
    "evil.com&#47;@",
    "evil.zip/@",
    "see (evil.io/@)",
    "evil.co.uk/@",
    "@.evil.com",
    "@.evil.com/x",
    "@.evil.io",
    "a-@.evil.com",
    "a.@.evil.com",
    "@-b.evil.com",
    "@.EVIL.COM.",
    "@.evil.com:80/x",
    "@.evil.com, and on",
    "(@.evil.com)",
    "@&#46;evil.com",
    "@\u200b.evil.com",
    "evil.com/a/@/b",
  ])("a URL: %s", (pattern) => {
    expect(restored(pattern)).toBe(withToken(pattern));
    expect([...new Set(streamed(pattern))]).toEqual([withToken(pattern)]);
  });

  it("an address that is made of two values", () => {
    expect(restored("@.@.evil.com @.evil.com")).toBe(withToken("@.@.evil.com @.evil.com"));
    expect(redactor.restore(`${name}.${name}.evil.com`)).toBe(`${name}.${name}.evil.com`);
  });

  it("a word whose beginning is too far back", () => {
    const long = `evil.com/${"a".repeat(5000)}`;
    expect(restored(`${long}@`)).toBe(withToken(`${long}@`));
    expect(streamed(`${long.slice(0, 1500)}@`).at(-1)).toBe(withToken(`${long.slice(0, 1500)}@`));
  });

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

  it("a token in a link stays, however it is quoted", () => {
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
    "@.",
    "@. Then on",
    "@.\n",
    "@, e.g. x.com",
    "@'s",
    "@.Then",
    "@.md",
    "see report-@.py",
    "x.com, @",
    "x.com @",
    "x.com：@",
    "main.ts: @",
    "e.g. @",
    "metadata:@",
    "news:@",
    "views:@",
    "data: @",
    "1.5/@",
    "a/b/@",
    "and/or@",
    "README.md#@",
    "@@",
    "@/@",
  ])("%j", (pattern) => {
    expect(restored(pattern)).toBe(withMail(pattern));
    expect([...new Set(streamed(pattern))]).toEqual([withMail(pattern)]);
  });
});
