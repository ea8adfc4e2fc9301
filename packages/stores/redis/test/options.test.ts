import { inspect } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { RedisStoreError, redisStateStore } from "../src/index.js";

/** The error of making a store with these options. */
function errorOf(options: object): unknown {
  try {
    redisStateStore(options);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the options of redisStateStore", () => {
  it.each([
    "redis://app:PASSWORD@host:99999/0",
    "http://app:PASSWORD@host/0",
    "redis://app:PASSWORD%zz@host/0",
    "redis://app:PASSWORD@host/not-a-number",
    "PASSWORD",
    "redis://[PASSWORD",
  ])("with a wrong address throw an error of the store that contains nothing of %s", (url) => {
    const error = errorOf({ url });
    expect(RedisStoreError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: "ERR_STORE_REDIS_OPTION" });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("PASSWORD");
  });

  it("with a right address throw nothing", async () => {
    const store = redisStateStore({ url: "redis://app:secret@localhost:6379/0" });
    await store.close();
  });
});

it("a value that another program has written is an error of the store, without any of it", async () => {
  const commands = { get: async () => `value:${"0".repeat(36)}:secret of another program` };
  const store = redisStateStore({ withCommandOptions: () => commands } as never);
  const error = await Promise.resolve(store.get("key")).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "RedisStoreError", code: "ERR_STORE_REDIS_REPLY" });
  expect(inspect(error, { depth: 9 })).not.toContain("secret");
});
