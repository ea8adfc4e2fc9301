/**
 * Verifies one large log, for a look at time and memory (`/usr/bin/time -v`). Writing it takes longer than verifying it:
 *
 *     node packages/bench/dist/audit-verify-million.js write DIR [RECORDS] [WRITERS]
 *     /usr/bin/time -v node packages/bench/dist/audit-verify-million.js verify DIR
 */
import { verify } from "@suite/audit";
import { writeLog } from "./audit-verify-log.js";

async function main(): Promise<void> {
  const [task, dir = "", records = "1000000", writers = "256"] = process.argv.slice(2);
  if (task === "write") await writeLog(dir, Number(records), Number(writers));
  else if (task === "verify") {
    const start = performance.now();
    const { ok, size, files } = await verify(dir);
    const seconds = (performance.now() - start) / 1000;
    console.log({ ok, size, files: files.length, seconds, megabytes: process.memoryUsage.rss() / 1e6 });
  } else throw new Error("write DIR [RECORDS] [WRITERS], or verify DIR");
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
