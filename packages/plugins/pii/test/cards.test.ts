import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";

const found = (text: string): string[] =>
  detect(text, { types: ["credit_card"] }).map(({ start, end }) => text.slice(start, end));

describe("cards are found however they are written", () => {
  it.each([
    "4539 5787 6362 1486",
    "4539-5787-6362-1486",
    "4539.5787.6362.1486",
    "4539/5787/6362/1486",
    "4539_5787_6362_1486",
    "4539\u20135787\u20136362\u20131486",
    "4539\u22125787\u22126362\u22121486",
    "4539\u00a05787\u00a06362\u00a01486",
    "4539 5787 63621486",
    "45395787 63621486",
    "45 39 57 87 63 62 14 86",
    "45-39-57-87-63-62-14-86",
    "3782 822463 10005",
    "3782.822463.10005",
  ])("%s", (number) => {
    for (const text of [number, `paid with ${number}, thanks`, `(${number})`, `卡${number}。`])
      expect(found(text)).toEqual([number]);
  });

  it("in groups, also behind a path and a name, as addresses spell them", () => {
    const escaped = "4539%205787%206362%201486";
    for (const text of [`/of/${escaped}/orders`, `/of/4539-5787-6362-1486`, "ref_4539 5787 6362 1486"]) {
      expect(found(text)).toEqual([text.match(/4539.*1486/)?.[0]]);
    }
  });

  it.each(["4539  5787  6362  1486", "4539 5787\n6362 1486", "45395787\r\n63621486", "4539-5787-6362\n1486"])(
    "behind a word that says so: %j",
    (number) => {
      expect(found(`card: ${number}.`)).toEqual([number]);
      expect(found(`row: ${number}.`)).toEqual([]);
    },
  );

  it.each([
    ["%B4539578763621486^DOE/JANE^2712101000000000?", "4539578763621486"],
    [";4539578763621486=27121010000000000000?", "4539578763621486"],
    ["PAN4539578763621486", "4539578763621486"],
    ["PAN:4539-5787-6362-1486", "4539-5787-6362-1486"],
  ])("%s", (text, number) => {
    expect(found(text)).toEqual([number]);
  });

  it.each([
    "1.3.6.1.4539.5787.6362.1487",
    "12 45 39 57 87 63 62 14 86 12",
    "2019/4539/5787/6362",
    "4539\n5787\n6362\n1486",
    "since 1999\u20132004, 2004\u20132010",
    "B4539578763621486C",
  ])("and not in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

it("what stands before the host of an address is no part of an e-mail address", () => {
  const redactor = createRedactor({ secret: "redact", email: "redact" });
  expect(redactor.redact("postgres://app:s3cr3tPw9@db.example.com:5432/app")).toBe(
    "postgres://app:[REDACTED_SECRET]@db.example.com:5432/app",
  );
  expect(redactor.redact("redis://:s3cr3tPw9@db.example.com, mailto:jane@x.com, to:bob@y.org")).toBe(
    "redis://:[REDACTED_SECRET]@db.example.com, mailto:[REDACTED_EMAIL], to:[REDACTED_EMAIL]",
  );
});
