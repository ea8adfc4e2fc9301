import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { find, findGo, goBuild, provide, run } from "../../scripts/programs.mjs";

let folder = "";
const environment = { ...process.env };
let said: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  said = jest.spyOn(console, "error").mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), "programs-"));
  mkdirSync(join(folder, "bin"));
  process.env.PATH = "";
  process.env.GOROOT = folder;
  process.env.FAKE_TOOL = "";
});
afterEach(() => {
  said.mockRestore();
  process.env = { ...environment };
  rmSync(folder, { recursive: true });
});

/** A Go that does what a shell is told. */
function fakeGo(script: string) {
  const go = join(folder, "bin", "go");
  writeFileSync(go, `#!/bin/sh\n${script}\n`);
  chmodSync(go, 0o755);
  return go;
}

const recipe = () => ({
  title: "fake tool",
  variable: "FAKE_TOOL",
  names: [`tool-of-${folder.split("-").at(-1)}`],
  folder,
  image: { name: "none/none", program: "/none" },
  sources: [],
  build: (go: string, program: string) => goBuild(go, folder, ".", program),
});

describe("a program that tests need", () => {
  it("is reported as missing if Go is not installed", () => {
    const [name] = recipe().names;
    expect(find(recipe())).toEqual({
      missing: `there is no fake tool: neither ${name} on the PATH, no Docker, no Go.`,
    });
  });

  it.each([
    ["is too old", "go: go.mod requires go >= 1.26.0 (running go 1.21.1; GOTOOLCHAIN=local)"],
    ["cannot download", "dial tcp: lookup proxy.golang.org: no such host"],
  ])("is reported as missing if Go %s, with Go's last message", (_what, last) => {
    fakeGo(`echo first >&2; echo '${last}' >&2; exit 1`);
    expect(find(recipe())).toEqual({ missing: expect.stringContaining(`Go could not give it (${last})`) });
  });

  it("leaves its tests out with one line, and on CI fails", () => {
    process.env.CI = "";
    provide(recipe());
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^Tests are skipped: there is no fake tool: [^\n]*$/)]]);
    process.env.CI = "true";
    expect(() => provide(recipe())).toThrow("The tests cannot run: there is no fake tool");
  });

  it("is built by a Go that is not on the PATH, which what it runs finds there", () => {
    const go = fakeGo('case "$1" in inner) echo found > done;; *) go inner;; esac');
    expect(findGo()).toBe(go);
    run(go, ["outer"], folder);
    expect(readFileSync(join(folder, "done"), "utf8")).toBe("found\n");
  });
});
