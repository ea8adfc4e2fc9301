import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { RunSettlement } from "@suite/core";
import { type ShellOptions, shell, ToolsError } from "@suite/tools/node";
import fc from "fast-check";
import { isThere } from "../../../../../scripts/needs.mjs";
import { runs } from "../../../../../scripts/runs.mjs";
import { root } from "../../../../../scripts/workspaces.mjs";
import { Rig } from "../rig.js";

const rigs: Rig[] = [];

/** A run with a shell; what it has begun is killed behind the test. */
function opened(options: ShellOptions = {}, run = {}) {
  const rig = new Rig([shell({ policy: "host", ...options })], run);
  rigs.push(rig);
  const sh = (command: string) => rig.call("shell", { command }) as Promise<string>;
  return { rig, sh };
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.end().catch(() => {});
});

const walled = (() => {
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("skipped: shells in a sandbox, for there is no bubblewrap that works here");
    return false;
  }
})();
const shells = isThere("mkfifo", "the tests of shells") ? describe : describe.skip;
const policies = walled ? (["host", "sandbox"] as const) : (["host"] as const);

/** The processes that have a text among their arguments. */
const processes = (text: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text);
    } catch {
      return false;
    }
  });
const there = async (text: string, least: number): Promise<void> => {
  const until = Date.now() + 15_000;
  while (processes(text).length < least && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
  expect(processes(text).length).toBeGreaterThanOrEqual(least);
};
const gone = async (text: string): Promise<void> => {
  const until = Date.now() + 3000;
  while (processes(text).length > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
  expect(processes(text)).toEqual([]);
};
let unique = 7000;
/** A time to sleep by which a process is known. */
const sleepTime = () => `${++unique}.${process.pid}`;

shells.each(policies)("a shell by the policy %s", (policy) => {
  const open = (options: ShellOptions = {}, run = {}) => opened({ policy, ...options }, run);

  it("keeps folder, variables, functions and options from one command to the next", async () => {
    const { sh, rig } = open();
    expect(await sh('mkdir inner && cd inner && x=1 && f() { echo "f$x$1"; }; declare -A m=([k]=v)')).toBe(
      "<no output>",
    );
    expect(await sh(`f 2; basename $PWD; echo ${"$"}{m[k]}`)).toBe("f12\ninner\nv");
    expect(rig.decided("started")).toMatchObject([{ details: { policy } }]);
  });

  it("tells output, errors and codes apart", async () => {
    const { sh } = open();
    expect(await sh("echo out; echo err >&2; false")).toMatch(
      /^(out\n\[stderr\] err|\[stderr\] err\nout)\n\nExit code: 1$/,
    );
    expect(await sh("if")).toMatch(/^\[stderr\] .*syntax error.*Exit code: \d$/s);
    expect(await sh("nothing-such")).toMatch(/not found\n\nExit code: 127$/);
    expect(await sh('cat; read x; echo "<$x>"')).toBe("<>"); // there is no input
  });

  // In another system printf abc waits for the timeout.
  it("sees the end of output without a newline, with zero bytes, or that looks like a mark", async () => {
    const { sh } = open();
    const begun = performance.now();
    expect(await sh("printf abc")).toBe("abc");
    expect(await sh("printf 'a\\0b'")).toBe("a\0b");
    expect(await sh("printf '\\0%032d 0' 7")).toBe(`\0${"7".padStart(32, "0")} 0`);
    expect(await sh("printf 'é%.0s' {1..3000}")).toBe("é".repeat(3000));
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  // In another system exit waits for the timeout.
  it("notices at once that a command has ended the shell, and begins anew", async () => {
    const { sh } = open();
    const begun = performance.now();
    expect(await sh("x=1; echo last; exit 3")).toMatch(
      /^last\n\nThe shell has ended with exit code 3\. The next command/,
    );
    expect(await sh('echo "<$x>"')).toBe("<>");
    expect(await sh("exec printf away")).toMatch(/^away\n\nThe shell has ended/);
    expect(await sh("kill -9 $$")).toMatch(/^<no output>\n\nThe shell has ended/);
    expect(await sh("set -e; false; echo no")).toMatch(/^<no output>\n\nThe shell has ended with exit code 1/);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it("goes on after whatever leaves a loop", async () => {
    const { sh } = open();
    await sh("x=1");
    expect(await sh("break; echo no")).toBe("<no output>");
    expect(await sh("continue; echo no")).toBe("<no output>");
    expect(await sh('return 2>/dev/null; echo "$x"')).toContain("1");
    expect(await sh("set -u; trap 'echo trapped' ERR; echo $x")).toBe("1");
  });

  // In another system a timeout of one second takes five.
  it("takes no longer than it may, whatever ignores what", async () => {
    const { sh, rig } = open({ timeout: 400 });
    const time = sleepTime();
    const begun = performance.now();
    const said = await sh(
      `trap '' TERM INT HUP; echo begun; (trap '' TERM INT HUP; setsid sleep ${time}) & sleep ${time}`,
    );
    expect(performance.now() - begun).toBeLessThan(2500);
    expect(said).toMatch(
      /^begun\n\nThe command took longer than 0\.4 s and was stopped\. The next command starts a new shell/,
    );
    expect(rig.decided("ran")).toMatchObject([{ details: { end: "timed_out" } }]);
    await gone(time);
    expect(await sh("echo again")).toBe("again");
  });

  // In another system output of the first command's background is in the result of the second.
  it("keeps output of background processes out of later commands", async () => {
    const { sh } = open();
    expect(await sh("(sleep 0.3; echo late; echo late >&2) & echo first")).toBe("first");
    expect(await sh("sleep 0.6; echo second")).toBe("second");
    expect(await sh("while :; do echo more; echo more >&2; sleep 0.01; done & echo third")).toContain("third");
    for (const word of ["fourth", "fifth"]) expect(await sh(`sleep 0.1; echo ${word}`)).toBe(word);
    expect(await sh("kill $!; wait; echo over")).toContain("over");
  });

  it("stops what prints without end, and keeps the first and the last lines of what is long", async () => {
    const { sh, rig } = open({ maxLines: 10, maxCharacters: 2000 });
    const long = await sh("seq 1 5000");
    expect(long).toMatch(
      /^1\n2\n3\n4\n5\n\[… the middle of 5000 lines and 23893 characters is left out here …\]\n4996\n.*5000$/s,
    );
    expect(await sh("seq 1 9; yes x | tr -d '\\n' | head -c 100000; echo; seq 1 3")).toMatch(
      /^1\n2\n3\n4\n5\n\[….*…\]\n1\n2\n3$/s,
    );
    const begun = performance.now();
    expect((await sh("yes")).length).toBeLessThan(2500);
    expect((await sh("cat /dev/zero")).length).toBeLessThan(2500);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(rig.decided("ran").slice(-2)).toMatchObject([
      { details: { end: "flooded" } },
      { details: { end: "flooded" } },
    ]);
    expect(await sh("echo again")).toBe("again");
  }, 60_000);

  it("has no terminal to write to, and no variable of this process", async () => {
    process.env.SHELL_TEST_SECRET = "hidden";
    const { sh } = open({ environment: { GIVEN: "a b'c" } });
    delete process.env.SHELL_TEST_SECRET;
    expect(await sh("echo x >/dev/tty")).toMatch(/Exit code: 1$/);
    expect(await sh("tty; printf '%s' \"$GIVEN\"")).toBe("not a tty\na b'c");
    const names = (await sh("env")).split("\n").map((line) => line.split("=")[0]);
    const known = ["GIVEN", "HOME", "LANG", "OLDPWD", "PATH", "PWD", "SHLVL", "SUITE_SHELL_SESSION", "TERM", "_"];
    expect(names.filter((name) => !known.includes(name as string))).toEqual([]);
    // In another system there is no HOME and no PATH, though its documentation says so.
    expect(names).toEqual(expect.arrayContaining(["HOME", "PATH", "LANG", "TERM"]));
    expect(await sh('cd ~; pwd; [ "$PWD" = "$HOME" ] && echo home')).toContain("home");
  });

  it("runs calls that come at once one after the other", async () => {
    const { sh } = open();
    const all = await Promise.all([sh("sleep 0.2; x=1; echo a"), sh("echo b$x"), sh("exit"), sh('echo "c<$x>"')]);
    expect(all.map((said) => said.split("\n")[0])).toEqual(["a", "b1", "<no output>", "c<>"]);
  });

  it("starts a new shell on request, and soon after a command that hangs", async () => {
    const { sh, rig } = open();
    await sh("x=1");
    expect(await rig.call("shell", { restart: true })).toBe("The shell was restarted.");
    expect(await sh('echo "<$x>"')).toBe("<>");
  });

  // In another system a run that fails leaves process and folder until garbage is collected.
  it.each<RunSettlement["status"]>(["completed", "failed", "cancelled"])(
    "leaves no process and no folder when a run is %s, whatever was begun",
    async (status) => {
      const { sh, rig } = open();
      const time = sleepTime();
      await sh(
        `(trap '' TERM HUP; setsid nohup sleep ${time} >/dev/null 2>&1 &) ; sleep ${time} & f() { sleep ${time} & }; f; set -m; sleep ${time} &`,
      );
      await there(time, 4);
      const mounted = await sh(`echo "$HOME"; grep ' /workspace ' /proc/self/mountinfo`);
      const [folder = "none"] = /suite-shell-\w+/.exec(mounted) ?? [];
      expect(existsSync(join(tmpdir(), folder))).toBe(true);
      await rig.end(status);
      await gone(time);
      expect(existsSync(join(tmpdir(), folder))).toBe(false);
    },
  );

  it.each([
    ["stopped", ""],
    ["stopped, then killed", "sleep 0.6; kill -KILL $$"],
  ])("leaves nobody who reads for a command that never began, since the shell was %s", async (_, later) => {
    const { sh } = open({ timeout: 1000 });
    const mounted = await sh(`echo "$HOME"; grep ' /workspace ' /proc/self/mountinfo`);
    const [folder = "none"] = /suite-shell-\w+/.exec(mounted) ?? [];
    await sh(`(sleep 0.1; kill -STOP $$; ${later}) >/dev/null 2>&1 &`);
    await new Promise((done) => setTimeout(done, 400));
    const never = sh("echo never");
    await there(`${folder}/pipes/3`, 2);
    expect(await never).not.toContain("never\n");
    await gone(`${folder}/pipes`);
  });

  it("survives a suspension with its processes, and the stored state has none of its content", async () => {
    const plugin = shell({ policy });
    const before = new Rig([plugin]);
    const time = sleepTime();
    await before.call("shell", { command: `secret=s3cret; cd /tmp; sleep ${time} &` });
    const durable = JSON.parse(JSON.stringify(before.run.save()));
    expect(JSON.stringify([durable, before.told])).not.toContain("s3cret");
    await before.end("suspended");
    const after = new Rig([plugin], { runId: before.run.runId, durable });
    rigs.push(after);
    expect(await after.call("shell", { command: "echo $secret; pwd; jobs -p | wc -l" })).toBe("s3cret\n/tmp\n1");
    expect(processes(time)).not.toEqual([]);
    await after.end();
    await gone(time);
  });

  it("reports a new shell if the previous one was lost", async () => {
    const { sh, rig } = open({ keepSuspended: 1 });
    await sh("x=1");
    const durable = JSON.parse(JSON.stringify(rig.run.save()));
    await rig.end("suspended");
    const elsewhere = open({}, { runId: rig.run.runId, durable });
    expect(await elsewhere.sh('echo "<$x>"')).toBe(
      "(This is a new shell: variables and functions of the previous shell are lost.)\n<>",
    );
    expect(await elsewhere.sh("echo on")).toBe("on");
  });

  it("keeps no process from its end, with which it ends", async () => {
    const time = sleepTime();
    const program = `
      import { PluginStack } from "@suite/core/adapter";
      import { shell } from "@suite/tools/node";
      const stack = new PluginStack([shell({ policy: "${policy}" })]);
      const run = stack.begin({});
      const [tool] = await stack.tools(run);
      const call = { id: "1", kind: "tool" };
      console.log(await tool.execute({ command: "sleep ${time} & echo begun" }, run, call));`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(root, "packages/plugins/tools"),
      encoding: "utf8",
      timeout: 10_000,
    });
    expect(run).toMatchObject({ status: 0, stdout: "begun\n", stderr: "" });
    await gone(time);
  });

  it("keeps the shell of a suspended run so long, and no longer", async () => {
    const { sh, rig } = open({ keepSuspended: 100 });
    const time = sleepTime();
    await sh(`sleep ${time} &`);
    await rig.end("suspended");
    await there(time, 1);
    await new Promise((done) => setTimeout(done, 150));
    await gone(time);
  });

  it("ends with the run's abort, at once", async () => {
    const stop = new AbortController();
    const { sh } = open({}, { signal: stop.signal });
    const time = sleepTime();
    await sh("true");
    const running = sh(`sleep ${time}`);
    setTimeout(() => stop.abort(new Error("enough")), 200);
    await expect(running).rejects.toThrow("enough");
    await gone(time);
  });

  it("gives any output of any commands as it was, in any order", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", " ", "\n", "\t", "'", '"', "\\", "$", "`", "€", "\u{1f600}"),
      maxLength: 30,
    });
    const { sh } = open();
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (texts) => {
        const quoted = (each: string) => `'${each.replaceAll("'", "'\\''")}'`;
        const said = await sh(texts.map((each) => `printf '%s' ${quoted(each)}`).join("\n") || ":");
        expect(said).toBe(texts.join("").replace(/\n$/, "") || "<no output>");
      }),
      { numRuns: runs(100) },
    );
  }, 60_000);
});

(walled ? describe : describe.skip)("the sandbox", () => {
  it("is the default if it is available, and reports it", async () => {
    const rig = new Rig([shell()]);
    rigs.push(rig);
    await rig.call("shell", { command: "true" });
    expect(rig.decided("started")).toMatchObject([{ details: { policy: "sandbox" } }]);
    expect((await rig.tools())[0]?.description).toMatch(
      /They run in a sandbox without network; files are kept in \/workspace\.$/,
    );
  });

  it("shows nothing of the machine but programs and the workspace, and no network", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "work-"));
    writeFileSync(join(workspace, "given"), "here");
    const { sh } = opened({ policy: "sandbox", workspace });
    expect(await sh("cat given; echo made >made; pwd")).toBe("here/workspace");
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("made\n");
    expect(await sh(`ls ${process.cwd()} /root /home /etc/passwd 2>&1 | grep -vc 'No such file'`)).toContain(
      "0\n\nExit code: 1",
    );
    for (const path of ["/usr/x", "/etc/x", "/x", "/run/suite-shell/x"])
      expect(await sh(`touch ${path}`)).toMatch(/Exit code: 1/);
    expect(await sh("rm -f /run/suite-shell/*.out; ls /run/suite-shell | wc -l")).not.toMatch(/^0$/m);
    expect(await sh("(exec 3<>/dev/tcp/127.0.0.1/22) 2>&1; ls /sys/class/net 2>/dev/null | wc -l")).not.toContain(
      "SSH",
    );
    expect(await sh(`ls /proc | grep -c '^[0-9]'`)).toMatch(/^\d$/); // its own processes alone
    rmSync(workspace, { recursive: true });
  });

  it("shows what it is told to", async () => {
    const folder = mkdtempSync(join(tmpdir(), "readable-"));
    writeFileSync(join(folder, "file"), "shown");
    const { sh } = opened({ policy: "sandbox", sandbox: { readable: [folder] } });
    expect(await sh(`cat ${folder}/file; echo x >${folder}/file`)).toMatch(/shown.*Exit code: 1/s);
    rmSync(folder, { recursive: true });
  });
});

shells("stored output", () => {
  const redact = (text: string): string => text.replaceAll(/\d{16}/g, "[card]");
  const redactor = { redact, value: (value: unknown) => value };

  it("is redacted before it is stored or returned, also if it is truncated", async () => {
    const { sh, rig } = opened({ redactor, maxCharacters: 200 });
    expect(await sh("echo 4111111111111111; echo 4111111111111111 >&2")).not.toContain("4111");
    const long = await sh(
      "for i in {1..100}; do printf '4111111111111111 '; done; echo; seq -f 41111111111111%02.f 0 99",
    );
    expect(long).not.toContain("4111");
    expect(long).toContain("[card]");
    expect(JSON.stringify([rig.told, rig.run.save()])).not.toContain("4111");
  });

  it("shows nothing of a line that the cut goes through", async () => {
    const { sh } = opened({ redactor, maxCharacters: 20_000 });
    const said = await sh("printf 'x%.0s' {1..8184}; printf 4111111111111111; head -c 50000 /dev/zero | tr '\\0' y");
    expect(said).not.toContain("4111");
    expect(said).toContain("is left out here");
  });
});

shells("a call of the tool", () => {
  // In another system the error of a call without arguments, or with both, gives no reason.
  it.each([
    ["no argument", {}, /^Nothing was run: pass a command/],
    ["an empty command", { command: " " }, /^Nothing was run: pass a command/],
    ["a number as its command", { command: 7 }, /^Nothing was run: pass a command/],
    ["null", null, /^Nothing was run: pass a command/],
    ["a command and a restart", { command: "true", restart: true }, /^Nothing was run: .*not both/],
    ["a command that is too long", { command: "x".repeat(100_001) }, /^Nothing was run: a command has/],
    ["a zero byte", { command: "a\0b" }, /^Nothing was run: a command has/],
  ])("with %s explains the error", async (_, input, reason) => {
    const { rig } = opened();
    expect(await rig.call("shell", input)).toMatch(reason);
    expect(rig.decided("started")).toEqual([]);
  });

  it("fails where the policy that was asked for is not there, or a startup command fails", async () => {
    const none = new Rig([shell({ policy: "container", container: { engine: "podman", image: "no-such-image" } })]);
    rigs.push(none);
    await expect(none.call("shell", { command: "true" })).rejects.toMatchObject({ code: "ERR_TOOLS_POLICY" });
    const { sh } = opened({ startup: ["false"] });
    await expect(sh("true")).rejects.toMatchObject({ code: "ERR_TOOLS_SHELL" });
    await expect(opened({ workspace: "/no/such/folder" }).sh("true")).rejects.toMatchObject({
      code: "ERR_TOOLS_SHELL",
    });
  });

  it("begins with the startup commands, and the session ends with those of the shutdown", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ends-"));
    const { sh, rig } = opened({ workspace: folder, startup: ["x=1"], shutdown: ["echo $x >ended", "sleep 0.01"] });
    expect(await sh("echo $x")).toBe("1");
    await rig.end();
    expect(readFileSync(join(folder, "ended"), "utf8")).toBe("1\n");
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

it("a shell without the programs that make its pipes fails with words for who runs it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "path-"));
  const path = process.env.PATH ?? "";
  const bash =
    path
      .split(":")
      .map((each) => join(each, "bash"))
      .find(existsSync) ?? "";
  symlinkSync(bash, join(folder, "bash"));
  process.env.PATH = folder;
  try {
    await expect(opened().sh("echo a")).rejects.toMatchObject({
      code: "ERR_TOOLS_SHELL",
      message: expect.stringContaining("mkfifo"),
    });
  } finally {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  }
});

describe("options of shell", () => {
  it.each([
    { policy: "none" },
    { timeout: 0 },
    { maxLines: -1 },
    { maxCharacters: Number.NaN },
    { environment: { "a-b": "c" } },
    { environment: { A: 1 } },
    { redactor: {} },
    { startup: [] },
    { keepSuspended: -1 },
    { unknown: 1 },
  ])("refuses %j", (options) => {
    expect(() => shell(options as ShellOptions)).toThrow(ToolsError);
  });
});
