import { inspect } from "node:util";
import { expect, it } from "@jest/globals";
import { postgresStateStore } from "../src/index.js";

it("a value that another program has written is an error of the store, without any of it", async () => {
  const rows = [{ value: "secret of another program", version: "00000000-0000-0000-0000-000000000000" }];
  const client = { query: async () => ({ rows }), release() {}, on() {}, off() {} };
  const store = postgresStateStore({ totalCount: 1, connect: async () => client });
  const error = await Promise.resolve(store.get("key")).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "PostgresStoreError", code: "ERR_STORE_POSTGRES_VALUE" });
  expect(inspect(error, { depth: 9 })).not.toContain("secret");
});
