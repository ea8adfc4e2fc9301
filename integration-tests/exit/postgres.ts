import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { describe } from "@jest/globals";

/** Where Debian keeps the servers of each version: its `PATH` has none. */
const DEBIAN = "/usr/lib/postgresql";

const folder = [
  ...(process.env.PATH ?? "").split(delimiter),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : []),
].find((each) => existsSync(join(each, "initdb")) && existsSync(join(each, "pg_ctl")));

if (folder === undefined) {
  const lacks = "No PostgreSQL server on this machine: its tests";
  if (process.env.CI) throw new Error(`${lacks} cannot run`);
  console.error(`${lacks} are skipped`);
}

/** Tests that need a real PostgreSQL server. */
export const withPostgres = folder === undefined ? describe.skip : describe;

/** A server that listens on a socket only, and trusts everybody who can open it. */
export interface Postgres {
  /** Where the socket is: the `host` of a client. */
  readonly host: string;
  readonly user: string;
  stop(): void;
}

/** Starts one, with nothing in it, and waits until it is up. */
export function startPostgres(): Postgres {
  if (folder === undefined) throw new Error("no PostgreSQL server");
  const host = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(host, "data");
  const user = "owner";
  // It refuses to run as root.
  const owner = userInfo().uid === 0 ? idsOf("postgres") : undefined;
  if (owner !== undefined) chownSync(host, owner.uid, owner.gid);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(folder, program), [...args, "-D", data], { ...owner, cwd: host, stdio: "ignore" });

  run("initdb", "-U", user, "-A", "trust", "--encoding=UTF8", "--locale=C", "--no-sync");
  run("pg_ctl", "start", "--wait", "-l", join(host, "log"), "-o", `-k ${host} -c listen_addresses='' -F`);
  return {
    host,
    user,
    stop() {
      run("pg_ctl", "stop", "--wait", "-m", "fast");
      rmSync(host, { recursive: true });
    },
  };
}

const idsOf = (user: string) => ({
  uid: Number(execFileSync("id", ["-u", user], { encoding: "utf8" })),
  gid: Number(execFileSync("id", ["-g", user], { encoding: "utf8" })),
});
