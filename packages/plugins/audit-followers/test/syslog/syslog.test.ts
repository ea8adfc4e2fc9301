import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { isThere } from "../../../../../scripts/needs.mjs";
import { logFiles, temporaryDirectory } from "../../../audit/test/support.js";
import { followAll, otlpLogs, syslog } from "../../src/index.js";
import { runHere } from "../cli/run.js";
import { Collecting, coveredLines, followOnce } from "../follow/collecting.js";

/** A receiver of RFC 5424 in frames of RFC 6587: what it has read whole. */
class Receiver {
  readonly messages: string[] = [];
  readonly server: Server;
  /** The fate of a connection that is not read. */
  instead: ((socket: Socket) => void) | undefined;

  constructor(make: (listener: (socket: Socket) => void) => Server = (listener) => createServer(listener)) {
    this.server = make((socket) => {
      socket.on("error", () => {});
      if (this.instead) return this.instead(socket);
      const pieces: Buffer[] = [];
      socket.on("data", (piece: Buffer) => pieces.push(piece));
      socket.on("end", () => this.#read(Buffer.concat(pieces)));
    });
  }

  async listen(): Promise<number> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  #read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const space = bytes.indexOf(0x20, at);
      const length = Number(bytes.subarray(at, space));
      this.messages.push(bytes.subarray(space + 1, space + 1 + length).toString());
      at = space + 1 + length;
    }
  }
}

const receivers: Receiver[] = [];
async function receiver(make?: (listener: (socket: Socket) => void) => Server) {
  const made = new Receiver(make);
  receivers.push(made);
  return { made, port: await made.listen() };
}
afterEach(() => Promise.all(receivers.splice(0).map(({ server }) => new Promise((resolve) => server.close(resolve)))));

async function written(...records: object[]): Promise<{ dir: string; file: string }> {
  const dir = await temporaryDirectory();
  const log = await openLog({ dir });
  for (const record of records) await log.append(record);
  await log.close();
  return { dir, file: (await logFiles(dir))[0] ?? "" };
}

const parts =
  /^<(\d+)>1 (\S+) (\S+) (\S+) - (record|checkpoint) \[suiteAudit@32473 file="([^"]+)" index="(\d+)" end="(\d+)"\] (.*)$/s;

describe("syslog", () => {
  it("gets each line as it is stored, in order, with its place and its severity", async () => {
    const { made, port } = await receiver();
    const time = "2026-03-01T01:02:03.004Z";
    const { dir, file } = await written(
      { type: "tool", time, text: "größer\u0000\n<1>1 - forged" },
      { type: "tool", time, outcome: { status: "failed" } },
      { type: "gap" },
    );
    const { failed, codes } = await followOnce(dir, syslog({ url: `tcp://127.0.0.1:${port}` }));
    expect([failed, codes]).toEqual([undefined, []]);
    const read = made.messages.map((message) => parts.exec(message)?.slice(1) ?? message);
    expect(read.map((part) => part[8])).toEqual(await coveredLines(dir, file));
    expect(new Set(read.map((part) => part[5]))).toEqual(new Set([file]));
    const records = read.filter((part) => part[4] === "record");
    expect(records.map((part) => [part[0], part[6]])).toEqual([
      ["110", "0"],
      ["110", "1"],
      ["107", "2"],
      ["107", "3"],
    ]);
    // A log of one commit has checkpoints with the index of the last record, and two of the same index.
    expect(new Set(read.map((part) => `${part[5]} ${part[7]}`)).size).toBe(read.length);
    expect(records[1]?.[1]).toBe(time);
    expect(records[3]?.[1]).toBe("-");
  });

  it("counts as delivered when the receiver has read it to its end: what it drops comes again", async () => {
    const { made, port } = await receiver();
    const { dir, file } = await written({ n: 1 }, { n: 2 });
    let dropped = 0;
    made.instead = (socket) => {
      if (++dropped === 3) made.instead = undefined;
      // What the process has not read is lost with it: at once, or when some of it was read.
      if (dropped === 1) socket.resetAndDestroy();
      else socket.once("data", () => socket.resetAndDestroy());
    };
    const { codes } = await followOnce(dir, syslog({ url: `tcp://127.0.0.1:${port}` }));
    expect(dropped).toBe(3);
    expect(new Set(codes)).toEqual(new Set(["ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED"]));
    expect(made.messages.map((message) => parts.exec(message)?.[9])).toEqual(await coveredLines(dir, file));
  });

  it("gives up a receiver that does not answer, in bounded time, and goes on from its position after a restart", async () => {
    const { made, port } = await receiver();
    const { dir, file } = await written({ n: 1 });
    const target = () => syslog({ url: `tcp://127.0.0.1:${port}`, timeoutMs: 100 });
    const open: Socket[] = [];
    made.instead = (socket) => {
      open.push(socket);
      socket.pause();
    };
    const hung = followAll(dir, [target()], { pollMs: 5, onError: () => {} });
    while (open.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await hung.close();
    for (const socket of open) socket.destroy();
    made.instead = undefined;
    expect((await followOnce(dir, target())).failed).toBeUndefined();
    const before = made.messages.length;
    expect(before).toBe((await coveredLines(dir, file)).length);
    await followOnce(dir, target());
    expect(made.messages.length).toBe(before);
  });

  (isThere("openssl", "the tests of syslog over TLS") ? it : it.skip)(
    "goes over TLS to whom the certificate names, and to nobody else",
    async () => {
      const { key, cert } = await certificate();
      const { made, port } = await receiver((listener) => createTlsServer({ key, cert }, listener));
      const { dir, file } = await written({ n: 1 });
      const url = `tls://127.0.0.1:${port}`;
      const strange = followAll(dir, [syslog({ url })], { pollMs: 5, onError: (error) => errors.push(error) });
      const errors: unknown[] = [];
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await strange.close();
      expect(errors[0]).toMatchObject({
        code: "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED",
        message: expect.stringContaining("SELF_SIGNED"),
      });
      expect(made.messages).toEqual([]);
      const target = syslog({ url, tls: { ca: cert, servername: "logs.example" } });
      expect((await followOnce(dir, target)).codes).toEqual([]);
      expect(made.messages.map((message) => parts.exec(message)?.[9])).toEqual(await coveredLines(dir, file));
    },
  );

  it.each([
    { url: "http://host" },
    { url: "tcp://" },
    { url: "tls://host", facility: 24 },
    { url: "tls://h", timeoutMs: 0 },
  ])("refuses options that make no sense: %j", (options) => {
    expect(() => syslog(options)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_FOLLOWERS_INVALID_OPTION" }));
  });
});

describe("several targets at once", () => {
  it("have positions of their own: one that is down holds up no other", async () => {
    const { made, port } = await receiver();
    const { dir, file } = await written({ n: 1 }, { n: 2 });
    const broken = new Collecting();
    broken.before = () => {
      throw new Error("down");
    };
    const targets = () => [broken, syslog({ url: `tcp://127.0.0.1:${port}` })];
    const first = followAll(dir, targets(), { pollMs: 5, onError: () => {} });
    const lines = await coveredLines(dir, file);
    while (made.messages.length < lines.length) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.close();
    broken.before = () => {};
    const second = followAll(dir, targets(), { pollMs: 5 });
    await second.caughtUp();
    await second.close();
    expect([made.messages.length, broken.lines]).toEqual([lines.length, lines]);
  });

  it("share no cursor, and there is one at least", () => {
    const one = () => otlpLogs({ url: "http://localhost:4318" });
    for (const targets of [[], [one(), one()]]) {
      expect(() => followAll("x", targets)).toThrow(
        expect.objectContaining({ code: "ERR_AUDIT_FOLLOWERS_INVALID_OPTION" }),
      );
    }
  });

  it("are followed by the command, which says which is not caught up", async () => {
    const [one, other] = [await receiver(), await receiver()];
    const { dir, file } = await written({ n: 1 });
    const both = [one, other].flatMap(({ port }) => ["--syslog", `tcp://127.0.0.1:${port}`]);
    expect(await runHere("follow", [dir, ...both, "--once"])).toMatchObject({ code: 0 });
    const { length } = await coveredLines(dir, file);
    expect([one.made.messages.length, other.made.messages.length]).toEqual([length, length]);
    expect((await runHere("follow", [dir, ...both, "--once", "--cursor", "x"])).code).toBe(2);
  });
});

let rsyslog = "";
try {
  rsyslog = execFileSync("sh", ["-c", "command -v rsyslogd || ls /usr/sbin/rsyslogd"], { encoding: "utf8" }).trim();
} catch {
  if (process.env.CI) throw new Error("The tests cannot run: there is no rsyslogd.");
  console.error("A test is skipped: there is no rsyslogd (apt-get install rsyslog).");
}
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
});

(rsyslog === "" ? it.skip : it)("a real rsyslog gets every line as it is stored", async () => {
  const { dir, file } = await written(...Array.from({ length: 300 }, (_, n) => ({ n, text: "é".repeat(n) })));
  const folder = await temporaryDirectory();
  const { port, made } = await receiver();
  await new Promise((resolve) => made.server.close(resolve));
  receivers.pop();
  const out = join(folder, "out");
  const config = `global(workDirectory="${folder}" maxMessageSize="128k")
module(load="imptcp")
template(name="line" type="string" string="%msgid% %msg%\\n")
ruleset(name="audit") { action(type="omfile" file="${out}" template="line") }
input(type="imptcp" port="${port}" address="127.0.0.1" ruleset="audit")
`;
  await writeFile(join(folder, "rsyslog.conf"), config);
  const child = spawn(rsyslog, ["-n", "-f", join(folder, "rsyslog.conf"), "-i", join(folder, "pid")], {
    stdio: "ignore",
  });
  running.push(child);
  const { failed } = await followOnce(dir, syslog({ url: `tcp://127.0.0.1:${port}` }));
  expect(failed).toBeUndefined();
  child.kill();
  await once(child, "exit");
  const lines = (await readFile(out, "utf8")).split("\n").slice(0, -1);
  expect(lines.map((line) => line.slice(line.indexOf(" ") + 1))).toEqual(await coveredLines(dir, file));
});

/** A certificate of its own for logs.example, made by openssl. */
async function certificate(): Promise<{ key: string; cert: string }> {
  const folder = await temporaryDirectory();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const of = ["-subj", "/CN=logs.example", "-addext", "subjectAltName=DNS:logs.example", "-days", "2", "-nodes"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...of, "-keyout", key, "-out", cert], { stdio: "pipe" });
  return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
}
