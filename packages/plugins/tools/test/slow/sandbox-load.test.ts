import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { type ShellOptions, shell } from "@suite/tools/node";
import { Rig } from "../rig.js";

const walled = (() => {
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("skipped: the load of a sandbox, because bubblewrap does not work here");
    return false;
  }
})();

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.end();
});

function opened(sandbox: ShellOptions["sandbox"] = {}) {
  const rig = new Rig([shell({ policy: "sandbox", sandbox })]);
  rigs.push(rig);
  return (command: string) => rig.call("shell", { command }) as Promise<string>;
}

(walled ? describe : describe.skip)("the load of the sandbox", () => {
  it("bounds data and files of a process, and the number of processes, by default", async () => {
    const sh = opened();
    // KiB, as bash counts them.
    expect(await sh("ulimit -Hd; ulimit -Hf; ulimit -Hu")).toBe(`${2048 * 1024}\n${1024 * 1024}\n512`);
    expect(await sh("ulimit -d unlimited 2>&1 || echo refused")).toContain("refused");
  });

  it("stops a process that takes more memory than it may, and no other", async () => {
    const sh = opened({ memory: 64 });
    expect(await sh("head -c 200000000 /dev/zero | tail 2>&1 | tr -d '\\0' | head -c 200; echo on")).toMatch(
      /memory exhausted.*on$/s,
    );
  });

  it("keeps folders in memory within their bound, and lets nothing be written elsewhere", async () => {
    const sh = opened({ memory: 64 });
    for (const folder of ["/tmp", "/dev/shm"]) {
      expect(await sh(`head -c 90000000 /dev/zero >${folder}/x; stat -c %s ${folder}/x; rm ${folder}/x`)).toMatch(
        /No space left.*67108864|67108864.*No space left/s,
      );
    }
    expect(await sh("head -c 2000000 /dev/zero >/run/x; rm -f /run/x")).toMatch(/No space left/);
    expect(await sh("touch /dev/x")).toMatch(/Read-only/);
    expect(await sh("echo x >/dev/null && head -c 4 /dev/urandom | wc -c")).toBe("4");
  });

  it("stops a file at its bound", async () => {
    const sh = opened({ fileSize: 1 });
    expect(await sh("head -c 3000000 /dev/zero >big; stat -c %s big")).toContain("1048576");
  });

  it("is there with an older bubblewrap, which knows no sizes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bwrap-"));
    const older = `#!/bin/bash\nfor each; do [ "$each" != --size ] || exit 1; done\nPATH=${process.env.PATH} exec bwrap "$@"\n`;
    writeFileSync(join(folder, "bwrap"), older, { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${folder}:${path}`;
    try {
      expect(await opened({ memory: 64 })("ulimit -d")).toBe(String(64 * 1024));
    } finally {
      process.env.PATH = path;
      rmSync(folder, { recursive: true });
    }
  });

  it("has the number of processes that it is set to", async () => {
    expect(await opened({ processes: 40 })("ulimit -u")).toBe("40");
  });
});

describe("the options of the policies", () => {
  it.each([
    ["sandbox", { memory: 0 }],
    ["sandbox", { processes: 1.5 }],
    ["sandbox", { fileSize: "1" }],
    ["sandbox", { readable: "/srv" }],
    ["sandbox", { network: "yes" }],
    ["sandbox", { memry: 1 }],
    ["container", { memory: -1 }],
    ["container", { engine: "lxc" }],
    ["container", { image: "" }],
    ["container", { netwrok: true }],
  ])("of %s are checked: %j", (policy, options) => {
    expect(() => shell({ [policy]: options } as ShellOptions)).toThrow(
      expect.objectContaining({ code: "ERR_TOOLS_OPTION" }),
    );
  });
});
