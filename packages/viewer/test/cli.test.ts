import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { main } from "../src/cli/main.js";

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
    expect(out).toContain(`Port ${port}, for traces, cannot be used: another program listens there`);
    server.close();
  });

  it.each([[["--port", "x"]], [["--port", "99999"]], [["--colour"]], [["file"]], [["--max-spans", "0"]]])(
    "refuses %j with 2 and a reason",
    async (args) => {
      expect(await main(args)).toBe(2);
      expect(out).toMatch(/\w+ .*\n/);
    },
  );

  it("explains itself", async () => {
    expect(await main(["--help"])).toBe(0);
    expect(out).toContain("suite-viewer [OPTIONS] [-- COMMAND ARGUMENTS…]");
  });
});
