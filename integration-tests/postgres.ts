import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { describe } from "@jest/globals";
import { skip } from "../scripts/needs.mjs";

/** The folder in which Debian keeps the servers of each version: its `PATH` has none. */
const DEBIAN = "/usr/lib/postgresql";

const folder = [
  ...(process.env.PATH ?? "").split(delimiter),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : []),
].find((each) => existsSync(join(each, "initdb")) && existsSync(join(each, "pg_ctl")));

if (folder === undefined) {
  skip("PostgreSQL server", "the tests of PostgreSQL");
}

/** Tests that need a real PostgreSQL server. */
export const withPostgres = folder === undefined ? describe.skip : describe;

/** A server that listens on a socket only, and trusts everybody who can open it. */
export interface Postgres {
  /** The folder of its socket: the `host` of a client. */
  readonly host: string;
  readonly user: string;
  /** Kills the server with all its processes, at once. */
  kill(): void;
  /** Starts the server that was killed, with what it had made durable. */
  restart(): void;
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
  // Connections for 64 processes with two each.
  const start = () =>
    run(
      "pg_ctl",
      "start",
      "--wait",
      "-l",
      join(host, "log"),
      "-o",
      `-k ${host} -c listen_addresses='' -c max_connections=300 -F`,
    );
  start();
  return {
    host,
    user,
    kill() {
      const locks = [join(data, "postmaster.pid"), join(host, ".s.PGSQL.5432.lock")];
      const server = readFileSync(locks[0] ?? "", "utf8").split("\n")[0] ?? "";
      const children = execFileSync("ps", ["-o", "pid=", "--ppid", server], { encoding: "utf8" });
      for (const pid of [server, ...children.trim().split(/\s+/)]) killIfThere(Number(pid));
      // Where nobody waits for orphans, its number stays taken, and it would not start again.
      for (const lock of locks) rmSync(lock);
    },
    restart: start,
    stop() {
      run("pg_ctl", "stop", "--wait", "-m", "fast");
      rmSync(host, { recursive: true });
    },
  };
}

/** Waits until a pool has noticed which of its connections have ended with a server that was killed. */
export async function healthy(pool: { query(text: string): Promise<unknown> }): Promise<void> {
  const all = () => Promise.all(Array.from({ length: 20 }, () => pool.query("SELECT 1")));
  while (!(await all().then(Boolean, () => false)));
}

/** A process that ended by itself meanwhile is as good. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const idsOf = (user: string) => ({
  uid: Number(execFileSync("id", ["-u", user], { encoding: "utf8" })),
  gid: Number(execFileSync("id", ["-g", user], { encoding: "utf8" })),
});
