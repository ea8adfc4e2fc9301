import { describe, expect, it } from "@jest/globals";
import { postgres } from "../../src/postgres/postgres.js";

// What it does is tested against a real server: integration-tests/followers/postgres.test.ts
describe("postgres", () => {
  it.each(["a b", 'a"b', "a.b.c", "", "1a", "x".repeat(58), "a;--"])("takes no table that is called %j", (table) => {
    expect(() => postgres({ table })).toThrow("postgres({ table })");
  });

  it.each([{ connectionString: "postgres://user:secret@host:none/" }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }])(
    "takes no option that makes no sense, and says so without its value",
    (options) => {
      expect(() => postgres(options)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_FOLLOWERS_INVALID_OPTION" }));
      expect(() => postgres(options)).not.toThrow("secret");
    },
  );
});
