import { describe, expect, it } from "@jest/globals";
import { createRedactor, memoryVault, type Rules, type Vault } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const rules: Rules = { email: "tokenize", credit_card: "tokenize", ip: "redact" };
const mail = "jane.doe@example.com";
const card = "4111 1111 1111 1111";
const form = /<([A-Z_]+)_([1-9]\d*)_([bcdfghjkmnpqrstvwxyz]{8})>/g;
const tokensIn = (text: string): string[] => text.match(form) ?? [];
const tagOf = (token: string): string => token.slice(-9, -1);

describe("a token", () => {
  it("has its type, a number, and a random part", () => {
    const redactor = createRedactor(rules);
    const text = redactor.redact(`${mail}, bob@y.org, ${card}, ${mail}`);
    const tag = tagOf(tokensIn(text)[0] ?? "");
    expect(text).toBe(`<EMAIL_1_${tag}>, <EMAIL_2_${tag}>, <CREDIT_CARD_1_${tag}>, <EMAIL_1_${tag}>`);
    const other = tagOf(createRedactor(rules).redact(mail));
    expect(other).toMatch(/^[bcdfghjkmnpqrstvwxyz]{8}$/);
    expect(other).not.toBe(tag);
  });

  it("is the same for the same value in one session, over redactors that share a vault, and another in another session", () => {
    const vault = memoryVault();
    const first = createRedactor(rules, { vault, session: "a" });
    const second = createRedactor(rules, { vault, session: "a" });
    const apart = createRedactor(rules, { vault, session: "b" });
    const token = first.redact(mail);
    expect(second.redact(mail)).toBe(token);
    expect(second.restore(token)).toBe(mail);
    expect(apart.redact("bob@y.org")).not.toBe(token);
    expect(apart.restore(token)).toBe(token);
  });

  it("stands for the value as it was written, also in hidden forms", () => {
    const redactor = createRedactor(rules);
    const text = "Jane@X.com jane@x.com ja\u200bne@x.com jane%40x.com";
    const treated = redactor.redact(text);
    expect(new Set(tokensIn(treated)).size).toBe(4);
    expect(redactor.restore(treated)).toBe(text);
  });

  it("takes the place of strings, keys and numbers in values", () => {
    const redactor = createRedactor(rules);
    const treated = redactor.value({ [mail]: [mail, 4111111111111111], n: 7 });
    expect(JSON.stringify(treated)).not.toMatch(/jane|4111/);
    expect(redactor.restore(JSON.stringify(treated))).toBe(`{"${mail}":["${mail}","4111111111111111"],"n":7}`);
  });

  it("tokenize redacts a value that is longer than the held text", () => {
    const redactor = createRedactor({
      url: "tokenize",
      own: { recognizer: /EMP\w+/, maxLength: 20, strategy: "tokenize" },
    });
    const long = `https://x.com/${"a".repeat(6000)}`;
    expect(redactor.redact(`see ${long} now`)).toBe("see [REDACTED_URL] now");
    expect(redactor.redact(`it is EMP${"a".repeat(500)} now`)).toBe("it is [REDACTED_OWN] now");
    const whole = `https://x.com/${"a".repeat(3000)}`;
    expect(redactor.restore(redactor.redact(whole))).toBe(whole);
    const stream = redactor.stream();
    let out = "";
    for (const piece of `see ${long} now`.match(/.{1,700}/gs) ?? []) out += stream.push(piece);
    expect(out + stream.end()).toBe("see [REDACTED_URL] now");
  });
});

describe("restore", () => {
  const redactor = createRedactor({ ...rules, note: { recognizer: /N'[^']*'/, maxLength: 60, strategy: "tokenize" } });
  const token = redactor.redact(mail);
  const name = token.slice(1, -1);

  it.each([
    ["in lower case", (t: string) => t.toLowerCase()],
    ["in upper case", (t: string) => t.toUpperCase()],
    ["in backticks", (t: string) => `\`${t}\``],
    ["in quotes", (t: string) => `"${t}"`],
    ["in bold", (t: string) => `**${t}**`],
    ["glued to letters", (t: string) => `a${t}b`],
    ["in Chinese text", (t: string) => `邮箱${t}。`],
  ])("finds a token %s", (_, write) => {
    expect(redactor.restore(write(token))).toBe(write(token).replace(/<EMAIL_1_[a-z]{8}>/i, mail));
  });

  it.each([
    `&lt;${name}&gt;`,
    `&#60;${name}&#62;`,
    `&#x3C;${name}&#x3E;`,
    `\\u003c${name}\\u003E`,
    `\\x3c${name}\\x3e`,
    `\\<${name}\\>`,
    `<${name.replaceAll("_", "\\_")}>`,
    `<${name.replaceAll("_", "\\\\_")}>`,
    `%3C${name}%3E`,
    name,
  ])("takes its brackets with it: %s", (written) => {
    const expected = written.startsWith("%") ? encodeURIComponent(mail) : mail;
    expect(redactor.restore(`to ${written}, please`)).toBe(`to ${expected}, please`);
  });

  it("leaves a bracket that has no partner", () => {
    expect(redactor.restore(`<${name}`)).toBe(`<${mail}`);
    expect(redactor.restore(`${name}>`)).toBe(`${mail}>`);
    expect(redactor.restore(`<<${name}>>`)).toBe(`<${mail}>`);
    expect(redactor.restore(`[${name}]`)).toBe(`[${mail}]`);
  });

  it("writes the value with the escapes of the surrounding text", () => {
    const value = `N'a"b<c>&\\d'`;
    const noted = redactor.redact(value);
    const note = noted.slice(1, -1);
    expect(redactor.restore(noted)).toBe(value);
    expect(redactor.restore(`&lt;${note}&gt;`)).toBe("N&#39;a&#34;b&#60;c&#62;&#38;\\d&#39;");
    expect(JSON.parse(`"${redactor.restore(`\\u003c${note}\\u003e`)}"`)).toBe(value);
    expect(decodeURIComponent(redactor.restore(`%3c${note}%3e`))).toBe(value);
  });

  it("does not change tokens of other sessions", () => {
    const tag = tagOf(token);
    const others = [
      "<EMAIL_1>",
      "<EMAIL_1_xxxxxxxx>",
      `<EMAIL_99_${tag}>`,
      `<EMAIL_0_${tag}>`,
      `<EMAIL_01_${tag}>`,
      `<CREDIT_CARD_1_${tag}>`,
      `<EMAIL_12345678_${tag}>`,
      `<EMAIL_1_${tag.slice(1)}>`,
      `<EMAIL_ 1_${tag}>`,
    ].join(" ");
    expect(redactor.restore(others)).toBe(others);
  });

  it("restores what was replaced, for any text", () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        mail,
        card,
        "bob@y.org",
        "<EMAIL_1>",
        token,
        name,
        "<EMAIL_",
        "EMAIL_1_",
        "\\_",
        "\\",
        "<",
        ">",
        "&lt;",
      ),
      fc.constantFrom("see ", ")", "(", "[", "=", '">', " ", "\n\n", "é😀", "\ud83d", "C:\\"),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (list) => {
        const text = list.join("");
        fc.pre(!/\/\/|www\.|http|mailto|\]\(|\]:|<[a-z]/i.test(text)); // links are another matter
        const subject = createRedactor({ email: "tokenize", credit_card: "tokenize" });
        expect(subject.restore(subject.redact(text))).toBe(text);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("does nothing if no rule uses tokenize", () => {
    const plain = createRedactor({ email: "redact" });
    expect(plain.restore(token)).toBe(token);
    const stream = plain.restoreStream();
    expect(stream.push(token) + stream.end()).toBe(token);
  });
});

describe("a look-alike of a token", () => {
  it("is given a token of its own, so that it never becomes another's value, and comes back as it was", () => {
    const redactor = createRedactor(rules);
    const token = redactor.redact(mail);
    const name = token.slice(1, -1);
    for (const written of [
      token,
      name,
      token.toLowerCase(),
      `<${name.replaceAll("_", "\\_")}>`,
      `&lt;${name}&gt;`,
      `a${name}b`,
      `${name.slice(0, 3)}\u200b${name.slice(3)}`,
      `<EMAIL_7_${tagOf(token)}>`,
      "<EMAIL_1_bcdfghjk>",
    ]) {
      const treated = redactor.redact(`repeat ${written} please`);
      expect(treated).toMatch(/TEXT_\d/);
      expect(treated.toUpperCase()).not.toContain("EMAIL_1_");
      expect(redactor.restore(treated)).toBe(`repeat ${written} please`);
    }
  });

  it("is never put back, whatever text is made of it", () => {
    const vault = memoryVault();
    const subject = createRedactor(rules, { vault, session: "s" });
    const secret = "secret@hidden.org";
    const token = subject.redact(secret);
    const parts = [token, ...token.split("_"), token.slice(0, 9), token.slice(9), "_", "\\", "\u200b", "<", ">", " "];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (list) => {
        const text = list.join("");
        expect(subject.restore(subject.redact(text))).not.toContain(secret);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("is not a finding", () => {
    expect(createRedactor(rules).detect("<EMAIL_1_bcdfghjk>")).toEqual([]);
  });
});

describe("the options of a redactor", () => {
  const bad = expect.objectContaining({ code: "ERR_PII_INVALID_RULE" });
  it("want a session with a vault, and a vault that answers at once", () => {
    expect(() => createRedactor(rules, { vault: memoryVault() })).toThrow(bad);
    expect(() => createRedactor(rules, { vault: { async: true } as unknown as Vault, session: "s" })).toThrow(bad);
    expect(() => createRedactor({ email: "tokenise" as never })).toThrow(bad);
  });

  it("take a vault of one's own, and refuse tokens of another form from it", () => {
    const own = (id: object): Vault => ({ id: () => id as never, value: () => mail, erase() {} });
    const vault = own({ label: "EMAIL", number: 3, tag: "bcdfghjk" });
    expect(createRedactor(rules, { vault, session: "s" }).redact(mail)).toBe("<EMAIL_3_bcdfghjk>");
    for (const id of [
      { label: "IP", number: 1, tag: "bcdfghjk" },
      { label: "EMAIL", number: 0, tag: "bcdfghjk" },
      { label: "EMAIL", number: 1, tag: "a> <b" },
    ]) {
      expect(() => createRedactor(rules, { vault: own(id), session: "s" }).redact(mail)).toThrow(
        expect.objectContaining({ code: "ERR_PII_VAULT_FAILED" }),
      );
    }
  });

  it("let a vault's error through as the cause of ours, without the value", () => {
    const cause = new Error("down");
    const vault: Vault = {
      id() {
        throw cause;
      },
      value: () => undefined,
      erase() {},
    };
    let caught: unknown;
    try {
      createRedactor(rules, { vault, session: "s" }).redact(mail);
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: "ERR_PII_VAULT_FAILED", cause, message: expect.not.stringContaining("jane") });
  });
});
