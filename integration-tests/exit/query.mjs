// What a tool does that asks databases, with planted data wherever a statement, its parameters and its errors have room.
import { createRequire } from "node:module";
import { cardNumber, everything, planted } from "../planted.mjs";

/** Loads `pg` by `require`, which is what the instrumentation watches. */
const pg = () => /** @type {typeof import("pg")} */ (createRequire(import.meta.url)("pg"));

/** @typedef {{ host: string, user: string }} Server */

/** @param {Server} server */
export async function query({ host, user }) {
  const { Client, Pool } = pg();
  const client = new Client({ host, user, database: "postgres" });
  await client.connect();
  await client.query("CREATE TABLE people (name text UNIQUE, more jsonb)");
  for (const value of Object.values(planted)) {
    await client.query(`SELECT '${value}' AS who`);
    // Without a space: the first "word" of a statement is its operation to the instrumentation.
    await client.query(`SELECT'${value}'AS"${value}"`);
    await client.query("INSERT INTO people VALUES ($1, $2)", [value, { [value]: [value] }]);
    await client.query({
      name: `by ${value}`,
      text: "SELECT $1::text, $2::bytea",
      values: [value, Buffer.from(value)],
    });
    await failing(client.query("INSERT INTO people VALUES ($1)", [value]));
    await failing(client.query(`SELECT '${value}'::date`));
    await failing(client.query(`DO $$ BEGIN RAISE EXCEPTION 'no %', '${value}'; END $$`));
  }
  await client.query("SELECT $1::bigint", [cardNumber]);
  await client.query(`SELECT ${cardNumber}`);
  await client.query(`CREATE DATABASE "${planted.email}"`);
  await client.query(`CREATE ROLE "${planted.email}" LOGIN`);
  await client.end();

  const pool = new Pool({ host, user: planted.email, database: planted.email });
  await pool.query("SELECT 1");
  await pool.end();
  await failing(new Client({ host, user: planted.secret, database: everything }).connect());
}

/** A unique violation: its detail quotes the value. @param {Server} server */
export async function insertTwice({ host, user }) {
  const client = new (pg().Client)({ host, user, database: "postgres" });
  await client.connect();
  await client.query("CREATE TEMPORARY TABLE seen (name text UNIQUE)");
  const insert = () => client.query(`INSERT INTO seen VALUES ('${planted.email}')`);
  await insert();
  const error = await insert().catch((thrown) => thrown);
  await client.end();
  throw new Error(`Nothing was written. ${error.detail}`, { cause: error });
}

/** @param {Promise<unknown>} act */
async function failing(act) {
  const failed = await act.then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error("that was to fail");
}
