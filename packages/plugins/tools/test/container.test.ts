import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type ShellOptions, shell } from "@suite/tools/node";
import { isThere } from "../../../../scripts/needs.mjs";
import { Rig } from "./rig.js";

// A stand-in for an engine: it writes down what it is asked, and runs a container's program here, with a /tmp of its own.
const engine = (folder: string) => `#!/usr/bin/env bash
printf '%s\\n' "$*" >>'${folder}/asked'
env | cut -d= -f1 >>'${folder}/variables'
case $1 in
  image) [ "$3" != missing ] ;;
  rm) rm -rf '${folder}/tmp' ;;
  run)
    for arg; do case $arg in type=bind,*) source=\${arg#*source=}; cd "\${source%%,*}" ;; esac; done
    while [ "$1" != bash ]; do shift; done
    args=(); for arg; do args+=("\${arg/#\\/tmp/${folder}/tmp}"); done
    exec "\${args[@]}" ;;
  exec)
    shift 2
    args=(); for arg; do args+=("\${arg/#\\/tmp/${folder}/tmp}"); done
    exec "\${args[@]}" ;;
esac
`;

(isThere("mkfifo", "the tests of shells in containers") ? describe : describe.skip)(
  "a shell by the policy container",
  () => {
    const path = process.env.PATH;
    let folder: string;
    const asked = () => readFileSync(join(folder, "asked"), "utf8");
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "engine-"));
      mkdirSync(join(folder, "tmp"));
      writeFileSync(join(folder, "docker"), engine(folder));
      chmodSync(join(folder, "docker"), 0o755);
      process.env.PATH = `${folder}:${path}`;
    });
    afterEach(() => {
      process.env.PATH = path;
      rmSync(folder, { recursive: true, force: true });
    });
    const open = (options: ShellOptions = {}) =>
      new Rig([shell({ policy: "container", ...options, container: { engine: "docker", ...options.container } })]);

    it("asks the engine for one container with all walls, runs commands in it, and removes it", async () => {
      process.env.SHELL_TEST_SECRET = "hidden";
      const rig = open({ environment: { GIVEN: "secret value" } });
      expect(await rig.call("shell", { command: 'x=1; echo "$GIVEN"; echo err >&2' })).toMatch(/secret value/);
      expect(await rig.call("shell", { command: "echo $x; exit" })).toMatch(/^1\n\nThe shell has ended/);
      delete process.env.SHELL_TEST_SECRET;
      await rig.end();
      const run = asked()
        .split("\n")
        .find((line) => line.startsWith("run "));
      for (const wall of ["--rm", "--init", "--network none", "--cap-drop ALL", "no-new-privileges", "--read-only"]) {
        expect(run).toContain(wall);
      }
      expect(run).toContain("--pids-limit 512 --memory 1024m");
      expect(run).not.toContain("secret value"); // a list of processes would show it
      expect(readFileSync(join(folder, "variables"), "utf8")).not.toContain("SHELL_TEST_SECRET");
      const until = Date.now() + 3000;
      while (!asked().includes("rm --force") && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
      expect(asked()).toMatch(/^rm --force suite-shell-[0-9a-f]{24}$/m);
    });

    it("reports a missing image, and does not pull one", async () => {
      const call = open({ container: { image: "missing" } }).call("shell", { command: "true" });
      await expect(call).rejects.toMatchObject({ code: "ERR_TOOLS_POLICY" });
      expect(asked()).toMatch(/^(image inspect missing\n)+$/);
      expect(existsSync(join(folder, "tmp/1.out"))).toBe(false);
    });
  },
);
