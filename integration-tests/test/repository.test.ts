import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { withAddresses } from "../../scripts/release/addresses.mjs";
import { publishable, root } from "../../scripts/workspaces.mjs";
import { pages } from "../pages.js";

// .github, and the pages for people and programs that find their way here.

const read = (path: string) => readFileSync(join(root, path), "utf8");
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}
const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const commands = (name: string) =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));

describe("a workflow", () => {
  it("of CI runs .ci/run for each pull request, and may only read", () => {
    expect(commands("ci")).toContain(".ci/run");
    expect(workflow("ci").on).toHaveProperty("pull_request");
    expect(workflow("ci").permissions).toEqual({ contents: "read" });
  });

  it("of releases publishes with provenance, from a tag", () => {
    const { on, jobs } = workflow("release");
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs.publish?.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(commands("release").at(-1)).toBe("npm run release");
  });

  it("runs only scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const run = ["ci", "release"].flatMap(commands);
    const names = run.flatMap((command) => /^npm run ([\w:]+)$/.exec(command)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe("a file of .github", () => {
  const files = readdirSync(join(root, ".github"), { recursive: true, encoding: "utf8" });

  it("in YAML can be parsed", () => {
    const yaml = files.filter((file) => file.endsWith(".yml"));
    expect(yaml.length).toBeGreaterThan(5);
    for (const file of yaml) expect(parse(read(join(".github", file)))).toBeInstanceOf(Object);
  });

  it("names folders with a lock file for updates of dependencies", () => {
    const { updates } = parse(read(".github/dependabot.yml")) as {
      updates: { "package-ecosystem": string; directories?: string[] }[];
    };
    const { directories = [] } = updates.find((each) => each["package-ecosystem"] === "npm") ?? {};
    expect(directories.filter((dir) => !existsSync(join(root, dir, "package-lock.json")))).toEqual([]);
  });
});

describe("the address of the repository", () => {
  it("is written into a manifest before it is published", () => {
    expect(withAddresses({ name: "x" }, "https://example.com/a/b", "packages/core")).toEqual({
      name: "x",
      repository: { type: "git", url: "git+https://example.com/a/b.git", directory: "packages/core" },
      homepage: "https://example.com/a/b/tree/main/packages/core#readme",
      bugs: { url: "https://example.com/a/b/issues" },
    });
  });

  it("is rejected if it is none of a repository", () => {
    for (const address of ["http://example.com/a/b", "https://example.com/a", "x"])
      expect(() => withAddresses({}, address, "packages/core")).toThrow();
  });
});

describe("a page", () => {
  const texts = [...pages(), "SECURITY.md", "CODE_OF_CONDUCT.md", "AGENTS.md", "llms.txt", "CONTRIBUTING.md"];

  it("links only to files that exist", () => {
    const broken = texts.flatMap((page) => {
      const prose = read(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
      const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => (link as string).split("#")[0] as string);
      const files = links.filter((link) => link !== "" && !/^[a-z]+:/.test(link));
      return files
        .filter((link) => !existsSync(join(root, normalize(join(dirname(page), link)))))
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it("links only to headings that exist", () => {
    const anchors = (path: string) =>
      new Set(
        [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
          (heading as string)
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
            .trim()
            .replaceAll(" ", "-"),
        ),
      );
    const broken = texts.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)].flatMap(([, link = "", anchor = ""]) => {
        if (/^[a-z]+:/.test(link)) return [];
        const path = link === "" ? page : normalize(join(dirname(page), link));
        const file = path.endsWith(".md") ? path : join(path, "README.md");
        return existsSync(join(root, file)) && anchors(file).has(anchor) ? [] : [`${page}: ${link}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("for programs names each package that is published", () => {
    const text = read("llms.txt");
    const dirs = publishable().map(({ dir }) => dir);
    const left = dirs.filter((dir) => !text.includes(`${dir}/README.md`));
    expect(left).toEqual(["packages/kit", "packages/wire"]);
  });
});

describe("a change log", () => {
  it("names only what the README, the report of the API or the sources have", () => {
    const unknown = publishable().flatMap(({ dir, manifest }) => {
      const known = read(join(dir, "README.md")) + read(`etc/${manifest.name.replace("@suite/", "")}.api.md`);
      const names = [...read(join(dir, "CHANGELOG.md")).matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
      expect(names.length + Number(dir.endsWith("kit") || dir.endsWith("wire"))).toBeGreaterThan(0);
      const words = names.flatMap((name) => name.match(/\w{4,}/g) ?? []);
      return words.filter((word) => !known.includes(word)).map((word) => `${manifest.name}: ${word}`);
    });
    expect(unknown).toEqual([]);
  });
});
