import { writeFile } from "node:fs/promises";
import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { main } from "../src/cli/main.js";
import { SpanLog } from "../src/store/span-log.js";
import { hostile } from "./slow/hostile.js";
import { folder, span } from "./support.js";

let out = "";
const written = (text: string | Uint8Array): boolean => {
  out += text;
  return true;
};
jest.spyOn(process.stdout, "write").mockImplementation(written as never);
const complaints = jest.spyOn(process.stderr, "write").mockImplementation(written as never);
afterEach(() => {
  out = "";
  complaints.mockClear();
});

/** Listens on a port, where nobody else does already. */
const taken = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined)).listen(port, "127.0.0.1", () => resolve(server));
  });

/** Runs the command until this is printed, and then stops it. */
async function until(text: RegExp, args: readonly string[]): Promise<number> {
  const running = main(["--port", "0", "--otlp-port", "0", ...args]);
  while (!text.test(out)) await new Promise((resolve) => setTimeout(resolve, 5));
  process.emit("SIGINT");
  return running;
}

describe("suite-viewer", () => {
  it("prints the addresses of the page and for traces, and ends with 0 when it is stopped", async () => {
    expect(await until(/Traces:.*\n/, [])).toBe(0);
    expect(out).toMatch(/^Page: {3}http:\/\/127\.0\.0\.1:\d+\/\?token=\S{24}\nTraces: http:\/\/127\.0\.0\.1:\d+ /);
  });

  it("reports that it reads stored spans, which can take a while, and nothing for an empty folder", async () => {
    const data = await folder();
    expect(await until(/Traces:.*\n/, ["--data", data])).toBe(0);
    expect(complaints).not.toHaveBeenCalled();
    const log = await SpanLog.open(data, 1e6);
    await log.append([span()]);
    await log.close();
    out = "";
    expect(await until(/Traces:.*\n/, ["--data", data])).toBe(0);
    expect(out).toMatch(/^Reading the stored spans …\nPage: /);
    expect(complaints).toHaveBeenCalledTimes(1);
  });

  it("starts a command with its traces sent here, and goes on when that has ended", async () => {
    const check = "process.exit(/^http:.*127.0.0.1:\\d+$/.test(process.env.OTEL_EXPORTER_OTLP_ENDPOINT) ? 7 : 1)";
    expect(await until(/The command ended with/, ["--", process.execPath, "-e", check])).toBe(0);
    expect(out).toContain("The command ended with code 7.");
  });

  it("says of a command that is not there that it is not", async () => {
    expect(await until(/could not be started/, ["--", "suite-no-such-command"])).toBe(0);
    expect(complaints).toHaveBeenCalledWith("The command could not be started: ENOENT.\n");
  });

  it("says that a port is another program's, and ends with 2", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await main(["--port", "0", "--otlp-port", `${port}`])).toBe(2);
    expect(out).toContain(`Port ${port} for traces cannot be used: another program uses it`);
    server.close();
  });

  it("continues on other ports if its own are in use, and prints the address for exporters", async () => {
    const servers = await Promise.all([4318, 4319].map(taken));
    const say = "process.exit(/:431[89]$/.test(process.env.OTEL_EXPORTER_OTLP_ENDPOINT) ? 1 : 0)";
    const running = main(["--", process.execPath, "-e", say]);
    while (!/The command ended with code 0/.test(out)) await new Promise((resolve) => setTimeout(resolve, 5));
    process.emit("SIGINT");
    expect(await running).toBe(0);
    expect(out).toMatch(/^Page: {3}http:\S+\nTraces: http:\S+/);
    expect(out).not.toMatch(/:431[89]\b/);
    // Who waits for whoever sends to 4318 has to know that they cannot.
    expect(await main([])).toBe(2);
    expect(out).toContain("Port 4318 for traces cannot be used: another program uses it");
    for (const server of servers) server?.close();
  });

  it.each([[["--port", "x"]], [["--port", "99999"]], [["--colour"]], [["file"]], [["--max-spans", "0"]]])(
    "refuses %j with 2 and a reason",
    async (args) => {
      expect(await main(args)).toBe(2);
      expect(out).toMatch(/\w+ .*\n/);
    },
  );

  it("prints the runs of a folder: a line each for people, a line of JSON each for programs", async () => {
    const data = await folder();
    const log = await SpanLog.open(data, 1e6);
    const name = "evil\u001b[31m\nname";
    await log.append([span({ attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name } })]);
    await log.close();
    expect(await main(["runs", "--data", data])).toBe(0);
    expect(out).toMatch(
      /^2023-\S+ +100 ms +ended .* 0 errors .* - tokens {2}evil\\u001b\[31m\\u000aname +[0-9a-f]{32}\n$/,
    );
    out = "";
    expect(await main(["runs", "--json", "--data", data])).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name, spans: 1, state: "ended" });
    out = "";
    expect(await main(["runs", "--json", "--data", data, "agent:evil"])).toBe(0);
    expect(out.split("\n")).toHaveLength(2);
    out = "";
    expect(await main(["runs", "--data", data, "agent:evil", "is:error"])).toBe(0);
    expect(out).toBe("");
  });

  it("prints whatever runs are called on a line each, with nothing that a terminal would obey", async () => {
    const data = await folder();
    const log = await SpanLog.open(data, 1e9);
    const names = hostile();
    for (const name of names)
      await log.append([
        span({
          name,
          traceId: name,
          attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name },
        }),
      ]);
    await log.close();
    expect(await main(["runs", "--data", data])).toBe(0);
    const lines = out.split("\n");
    expect(lines.pop()).toBe("");
    expect(lines).toHaveLength(new Set(names).size);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000);
  });

  it("loads the module of --approve, and closes its store when it ends", async () => {
    const data = await folder();
    const path = join(data, "approvals.mjs");
    const desk = "{ get: async () => {}, decision: async () => {}, decide: async () => {} }";
    await writeFile(
      path,
      `export const approvals = ${desk}; export const close = () => process.stdout.write("closed\\n");`,
    );
    expect(await until(/Traces:.*\n/, ["--approve", path])).toBe(0);
    expect(out).toContain("closed\n");
    out = "";
    await writeFile(join(data, "nothing.mjs"), "export const store = {};");
    for (const [name, said] of [
      ["nothing.mjs", "must export `approvals`"],
      ["none.mjs", "The module of --approve does not exist."],
    ] as const) {
      expect(await main(["--approve", join(data, name)])).toBe(2);
      expect(out).toContain(said);
    }
  });

  it("prints its version", async () => {
    expect(await main(["--version"])).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("reports an unknown option without Node's advice", async () => {
    expect(await main(["--colour"])).toBe(2);
    expect(out.split("\n")[0]).toBe("Unknown option '--colour'.");
  });

  it("reports a folder without spans, and fields that do not exist, where nothing was found", async () => {
    expect(await main(["runs", "--data", join(await folder(), "none")])).toBe(2);
    expect(out).toContain("contains no spans");
    out = "";
    const data = await folder();
    await (await SpanLog.open(data, 1e6)).close();
    expect(await main(["runs", "--data", data, "tool:refund", "is:slow", "agent:desk", "12:30"])).toBe(0);
    expect(out).toMatch(/^tool:refund is:slow: unknown field, searched as a word\. Fields: agent, .*is:open.*\n$/);
  });

  it("reports that the folder of --audit is not there yet", async () => {
    expect(await until(/Traces:.*\n/, ["--audit", join(await folder(), "none")])).toBe(0);
    expect(out).toContain("The folder of --audit does not exist yet");
  });

  it("leaves standard output to a command: it may speak a protocol there", async () => {
    const output = jest.mocked(process.stdout.write);
    output.mockClear();
    expect(await until(/The command ended with code 0/, ["--", process.execPath, "-e", ""])).toBe(0);
    expect(output).not.toHaveBeenCalled();
    expect(out).toMatch(/^Page: .*\nTraces: /);
  });

  it("before a command takes any port for traces, if only the page's was given, and only then", async () => {
    const server = await taken(4318);
    const running = main(["--port", "0", "--", process.execPath, "-e", ""]);
    while (!/The command ended with code 0/.test(out)) await new Promise((resolve) => setTimeout(resolve, 5));
    process.emit("SIGINT");
    expect(await running).toBe(0);
    expect(await main(["--otlp-port", "4318", "--port", "0", "--", process.execPath, "-e", ""])).toBe(2);
    server?.close();
  });

  it("explains itself", async () => {
    expect(await main(["--help"])).toBe(0);
    expect(out).toContain("suite-viewer [OPTIONS] [-- COMMAND ARGUMENTS…]");
  });
});
