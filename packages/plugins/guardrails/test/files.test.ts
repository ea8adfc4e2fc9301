import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type FilesOptions, files } from "@suite/guardrails";
import { readHead } from "@suite/guardrails/node";
import { describePlugin } from "@suite/testkit";
import { Rig } from "../../limits/test/support.js";

const png = Uint8Array.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
]);
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** The problem for which a call is refused; undefined where it runs. */
async function problemOf(options: FilesOptions, input: unknown): Promise<unknown> {
  const rig = new Rig([files(options)]);
  const { failed } = await rig.tool("read_file", { input });
  const [told] = rig.told;
  expect(failed).toBe(told !== undefined);
  return told && "details" in told ? told.details?.problem : undefined;
}

describe("the path of a file", () => {
  const inDocs: FilesOptions = { paths: ["path"], roots: ["/srv/docs"] };

  it.each([
    ["/srv/docs/a.txt", undefined],
    ["/srv/docs//sub/./a.txt", undefined],
    ["/srv/docs", undefined],
    ["/srv/docs/../secret", "outside"],
    ["/srv/docs/..\\..\\secret", "outside"],
    ["/srv/docs2/a.txt", "outside"],
    ["/etc/passwd", "outside"],
    ["a.txt", "outside"],
    ["~/a.txt", "outside"],
    ["/srv/docs/.env", "hidden"],
    ["/srv/docs/.git/config", "hidden"],
    ["/srv/docs/a\u0000.txt", "not_a_path"],
    ["file:///srv/docs/a", "address"],
    ["/srv/docs/%2e%2e/secret", "address"],
    ["", "not_a_path"],
    [7, "not_a_path"],
  ])("%j is refused: %j", async (path, problem) => {
    expect(await problemOf(inDocs, { path })).toBe(problem);
  });

  it("is looked at wherever it stands, and unreadable arguments are refused", async () => {
    const each: FilesOptions = { paths: ["files[].name"], names: ["*.pdf"] };
    expect(await problemOf(each, { files: [{ name: "a.pdf" }, { name: "b.exe" }] })).toBe("name");
    expect(await problemOf(each, { files: [{ name: "a.pdf" }] })).toBeUndefined();
    expect(await problemOf(each, "not JSON")).toBe("not_readable");
    const throwing = Object.defineProperty({}, "files", {
      enumerable: true,
      get: () => {
        throw new Error("x");
      },
    });
    expect(await problemOf(each, throwing)).toBe("not_readable");
    expect(await problemOf({ ...each, tools: ["write_*"] }, "not JSON")).toBeUndefined();
  });
});

describe("the content of a file", () => {
  const images: FilesOptions = { contents: ["data"], types: ["image/*"], maxBytes: 100 };

  it("is recognised by its bytes, not by its name", async () => {
    expect(await problemOf(images, { data: base64(png) })).toBeUndefined();
    expect(await problemOf(images, { data: png })).toBeUndefined();
    expect(await problemOf(images, { data: `data:text/html;base64,${base64(png)}` })).toBeUndefined();
    expect(await problemOf(images, { data: `data:image/png;base64,${btoa("<script>")}` })).toBe("type");
    expect(await problemOf({ ...images, types: ["text/plain"] }, { data: btoa("plain text") })).toBeUndefined();
    expect(await problemOf({ ...images, types: ["text/plain"] }, { data: btoa("\u0000\u0001") })).toBe("type");
  });

  it("is refused where it is too large, or none", async () => {
    expect(await problemOf(images, { data: base64(new Uint8Array(101)) })).toBe("size");
    expect(await problemOf(images, { data: "A".repeat(1_000_000) })).toBe("size");
    expect(await problemOf(images, { data: "not base64!" })).toBe("not_a_file");
  });
});

describe("a file on disk", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "files-"));
    writeFileSync(join(folder, "picture.txt"), png);
    writeFileSync(join(folder, "large.txt"), "x".repeat(2000));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is looked at by its content and size, the same on every machine", async () => {
    const options: FilesOptions = {
      paths: ["path"],
      roots: [folder],
      types: ["text/plain"],
      maxBytes: 1000,
      read: readHead,
    };
    expect(await problemOf(options, { path: join(folder, "picture.txt") })).toBe("type");
    expect(await problemOf(options, { path: join(folder, "large.txt") })).toBe("size");
    expect(await problemOf(options, { path: join(folder, "new.txt") })).toBeUndefined();
    expect(await problemOf(options, { path: folder })).toBe("not_readable");
  });
});

it("monitor mode refuses nothing, and tells it", async () => {
  const rig = new Rig([files({ paths: ["path"], roots: ["/srv"], mode: "monitor" })]);
  expect((await rig.tool("read_file", { input: { path: "/etc/passwd" } })).failed).toBe(false);
  expect(rig.told).toMatchObject([{ decision: "block", enforced: false, details: { problem: "outside" } }]);
  expect(JSON.stringify(rig.told)).not.toContain("passwd");
});

it.each([
  {},
  { paths: [] },
  { paths: ["a"], maxBytes: 0 },
  { paths: ["a"], roots: "/" },
  { paths: ["a"], root: ["/"] },
])("options that mean nothing are refused: %j", (options) => {
  expect(() => files(options as unknown as FilesOptions)).toThrow(
    expect.objectContaining({ code: "ERR_GUARDRAILS_OPTION" }),
  );
});

describePlugin(
  "files",
  {
    create: () => files({ tools: ["other"], paths: ["path"] }),
    acts: [
      {
        name: "refuses a file",
        kind: "tool",
        after: 0,
        by: "answer",
        is: (given) => String(given).includes("a file is not allowed (outside)"),
        create: () => files({ paths: ["place"], roots: ["/srv"] }),
        monitor: () => files({ paths: ["place"], roots: ["/srv"], mode: "monitor" }),
      },
    ],
  },
  { describe, it },
);
