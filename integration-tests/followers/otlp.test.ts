import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { type Log, openLog, verify } from "@suite/audit";
import { follow, otlpLogs } from "@suite/audit-followers";
import { killAll, startAuditCollector, startCollector, withCollector } from "../collector/collector.js";
import { startFront } from "../collector/front.js";
import { type Receiver, startReceiver } from "../collector/receiver.js";
import { killFollowers, startFollowing, storedRecords, until } from "./follow.js";
import { checkpointsIn, recordsIn } from "./log-records.js";

jest.setTimeout(60_000);

withCollector("a follower through a real collector", () => {
  let dir = "";
  let receiver: Receiver;
  let log: Log;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "followers-"));
    receiver = await startReceiver();
    log = await openLog({ dir, maxFileBytes: 200_000 });
  });
  afterEach(async () => {
    await killFollowers();
    await killAll();
    await receiver.close();
    rmSync(dir, { recursive: true });
  });

  let written = 0;
  const write = (count: number) =>
    Promise.all(Array.from({ length: count }, () => log.append({ n: written++, text: "é\u0000\u2028".repeat(20) })));
  const hasAll = async () => {
    const records = recordsIn(receiver.bodies);
    return (await storedRecords(dir)).every((record) => records.includes(record));
  };

  it("sends each record once, as stored, through the collector of collector/config.yaml", async () => {
    const collector = await startCollector(receiver.url);
    await write(1200);
    await log.close();
    const follower = follow(dir, otlpLogs({ url: collector.url }));
    await follower.caughtUp();
    await follower.close();
    await collector.stop();
    expect(recordsIn(receiver.bodies).sort()).toEqual(await storedRecords(dir));
  });

  it("sends checkpoints that are anchors: what is cut off the log afterwards is found", async () => {
    const collector = await startAuditCollector(receiver.url);
    const { file } = (await write(10))[9] ?? { file: "" };
    const { size } = statSync(join(dir, file));
    await write(10);
    await log.close();
    const follower = follow(dir, otlpLogs({ url: collector.url }));
    await follower.caughtUp();
    await follower.close();
    const anchor = checkpointsIn(receiver.bodies).at(-1) ?? "";
    expect(await verify(dir, { anchor })).toMatchObject({ ok: true, anchored: 21 });
    truncateSync(join(dir, file), size);
    expect(await verify(dir)).toMatchObject({ ok: true });
    expect(await verify(dir, { anchor })).toMatchObject({ ok: false, problems: [{ kind: "file_shortened" }] });
  });

  it("leaves no gap, after it and then the collector of collector/audit.yaml were killed in the middle of a batch", async () => {
    const collector = await startAuditCollector(receiver.url);
    const front = await startFront(collector.url);
    await write(2000);
    front.turns = ["pass", "pass", "silence"];
    const first = startFollowing(dir, "--otlp", front.url);
    await until(() => front.times.length === 3);
    await first.kill();

    const second = startFollowing(dir, "--otlp", front.url);
    await until(hasAll);
    front.turns = ["pass", { after: 200 }];
    const before = front.times.length;
    await write(2000);
    await until(() => front.times.length === before + 2);
    await collector.kill();
    await write(100);
    await until(() => second.said().includes("did not accept a batch"));
    await startAuditCollector(receiver.url, Number(new URL(collector.url).port));

    await log.close();
    await until(hasAll);
    const records = recordsIn(receiver.bodies);
    expect([...new Set(records)].sort()).toEqual(await storedRecords(dir));
    expect(await second.stop()).toBe(0);
    await front.close();
  });
});
