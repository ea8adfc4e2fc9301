import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { temporaryDirectory } from "../../../audit/test/support.js";
import { runFollow as run, runHere } from "./run.js";

let status = 200;
const headers: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  headers.push(request.headers);
  response.writeHead(status).end("{}");
});
let url = "";
let dir = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
beforeEach(async () => {
  status = 200;
  headers.length = 0;
  dir = await temporaryDirectory();
  const log = await openLog({ dir });
  await log.append({ n: 1 });
  await log.close();
});

describe("suite-audit-follow --once", () => {
  it("ends with 0 when all is sent, with the headers of the environment; then there is nothing to send", async () => {
    const env = { OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b=c, x-other=d" };
    expect(await run([dir, "--otlp", url, "--once"], env)).toEqual({ code: 0, out: "", err: "" });
    expect(await run([dir, "--otlp", url, "--once"], env)).toEqual({ code: 0, out: "", err: "" });
    expect(headers).toEqual([expect.objectContaining({ "x-key": "a b=c", "x-other": "d" })]);
  });

  it("ends with 1 where it is refused, and says by whom without the credentials", async () => {
    status = 401;
    const { code, err } = await run([dir, "--otlp", url.replace("//", "//user:secret@"), "--once"]);
    expect(code).toBe(1);
    expect(err).toContain(`${url} refuses a batch with status 401`);
    expect(err).not.toContain("secret");
  });

  it("ends with 1 when time is out, and the next one sends what is left", async () => {
    status = 503;
    const { code, err } = await run([dir, "--otlp", url, "--once", "--timeout", "1"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Not all records were sent within 1 s.") });
    status = 200;
    expect(await run([dir, "--otlp", url, "--once", "--timeout", "60"])).toMatchObject({ code: 0 });
  });
});

describe("a program that follows", () => {
  const program = (last: string) => `
    import { follow, otlpLogs } from "@suite/audit-followers";
    const follower = follow(${JSON.stringify(dir)}, otlpLogs({ url: ${JSON.stringify(url)} }));
    ${last}`;
  const execute = (last: string) =>
    new Promise<string>((resolve) => {
      const args = ["--input-type=module", "--eval", program(last)];
      execFile(process.execPath, args, { cwd: import.meta.dirname }, (error, out) => resolve(error?.message ?? out));
    });

  it("ends when it has nothing else to do", async () => {
    expect(await execute("")).toBe("");
  });

  it("does not end while it waits for all to be sent, though the collector is down", async () => {
    status = 503;
    setTimeout(() => {
      status = 200;
    }, 500);
    expect(await execute('await follower.caughtUp(); console.log("sent");')).toBe("sent\n");
  });
});

describe("suite-audit-follow", () => {
  it.each([
    [[]],
    [["."]],
    [["/no/such/place", "--otlp", "http://localhost"]],
    [[".", "--otlp", "http://localhost", "--postgres", "postgres://localhost", "--cursor", "x"]],
    [[".", "--otlp", "what"]],
    [[".", "--otlp", "http://localhost", "--timeout", "1"]],
    [[".", "--otlp", "http://localhost", "--once", "--timeout", "1.5"]],
    [[".", "--postgres", "postgres://localhost", "--table", "a;b"]],
  ])("ends %j with 2, and one clear line", async (args) => {
    const { code, err } = await runHere("follow", args);
    expect(code).toBe(2);
    expect(err.trim()).not.toBe("");
  });
});
