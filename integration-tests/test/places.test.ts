import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { kinds } from "@suite/core/adapter";
import { publishable, root, workspaces } from "../../scripts/workspaces.mjs";

// CONTRIBUTING.md, "Where things are added": the places that neither the compiler nor another test would miss.

const read = (path: string) => readFileSync(join(root, path), "utf8");
const references = (path: string): readonly string[] =>
  (JSON.parse(read(path)) as { references: { path: string }[] }).references.map((each) => each.path);

describe("a package", () => {
  const compiled = workspaces().filter(({ dir }) => existsSync(join(root, dir, "tsconfig.json")));

  it.each(["tsconfig.json", "tsconfig.test.json"])("that has a tsconfig.json is a reference of %s", (path) => {
    const tested = compiled.filter(({ dir }) => path === "tsconfig.json" || existsSync(join(root, dir, "test")));
    expect(tested.map(({ dir }) => dir).filter((dir) => !references(path).includes(dir))).toEqual([]);
  });

  it("that is published is linked in the README", () => {
    const readme = read("README.md");
    const dirs = publishable().map(({ dir }) => dir);
    expect(dirs.filter((dir) => !readme.includes(`${dir})`))).toEqual([]);
  });
});

describe("a picture", () => {
  it("of measured figures is current, and each one stands in a guide", async () => {
    await promisify(execFile)(process.execPath, [join(root, "scripts/pictures.mjs"), "--check"]);
    const guides = [
      "README.md",
      "packages/bench/soak.md",
      ...readdirSync(join(root, "docs")).map((file) => join("docs", file)),
    ];
    const texts = guides.filter((path) => path.endsWith(".md")).map(read);
    const drawn = readdirSync(join(root, "docs/pictures")).filter((file) => file.endsWith(".svg"));
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.filter((file) => !texts.some((text) => text.includes(`pictures/${file}`)))).toEqual([]);
  });
});

/** The sources of a package. */
const sources = (dir: string): readonly string[] =>
  readdirSync(join(root, dir, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(join(dir, "src", file)));

describe("a plugin", () => {
  const makes = /^export (?:async )?function (\w+)(?:<[^(]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\): \w*Plugin\b/gm;
  const exported = workspaces().filter(({ dir }) => dir.startsWith("packages/plugins/"));
  const named = (dir: string): readonly string[] => {
    const entries = readdirSync(join(root, dir, "src"), { encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const lines = entries.flatMap((file) => read(join(dir, "src", file)).match(/^export \{[^}]*\} from/gm) ?? []);
    return sources(dir)
      .flatMap((text) => [...text.matchAll(makes)].map(([, name]) => name as string))
      .filter((name) => lines.some((line) => new RegExp(`\\b${name}\\b`).test(line)));
  };

  it("has its line in the random runs of all plugins at once", () => {
    const table = ["random-guards", "random-suite", "random-canaries"]
      .map((file) => read(`integration-tests/test/${file}.ts`))
      .join("");
    const names = exported.flatMap(({ dir }) => named(dir));
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\(`).test(table))).toEqual([]);
  });
});

describe("a kind of call", () => {
  it("has a row in the table of hooks", () => {
    const rows = (path: string, kind: string) => new RegExp(`^\\|[^|]*\`${kind}\``, "m").test(read(path));
    expect(kinds.filter((kind) => !rows("packages/core/README.md", kind))).toEqual([]);
  });
});

describe("a member of a plugin", () => {
  it("has a row in a table of core's README", () => {
    const source = read("packages/core/src/engine/plugins.ts");
    const members = [...source.matchAll(/^ {2}(\w+): "(?:onion|hook|function|value)",$/gm)].map(([, name]) => name);
    const rows = [...read("packages/core/README.md").matchAll(/^\| ((?:`\w+`(?:, )?)+) +\|/gm)].map(([, cell]) => cell);
    expect(members.length).toBeGreaterThan(20);
    expect(members.filter((name) => !rows.some((cell) => cell?.includes(`\`${name}\``)))).toEqual([]);
  });
});

describe("an error code", () => {
  /** The codes in the file of a package's error class. */
  const codes = (dir: string): readonly string[] =>
    sources(dir)
      .filter((text) => /^export class \w+ extends codedError</m.test(text))
      .flatMap((text) => [...text.matchAll(/"(ERR_\w+)"/g)].map(([, code]) => code as string));
  const others = publishable().filter(({ dir, manifest }) => manifest.name !== "@suite/core" && codes(dir).length > 0);

  it("stands with the error class of each package that has one", () => {
    expect(others.length).toBeGreaterThan(14);
  });

  it.each(others.map(({ dir, manifest }) => [manifest.name, dir] as const))(
    "of %s begins with the package's name",
    (name, dir) => {
      const prefix = `ERR_${name.replace("@suite/", "").toUpperCase().replaceAll("-", "_")}_`;
      expect(codes(dir).filter((code) => !code.startsWith(prefix))).toEqual([]);
    },
  );
});

describe.each(["core", "kit"])("an entry of %s", (name) => {
  it("has in its README the size that it is held to", () => {
    const sizes = (JSON.parse(read(".size-limit.json")) as { path: string; limit: string }[]).filter(({ path }) =>
      path.startsWith(`packages/${name}/`),
    );
    const readme = read(`packages/${name}/README.md`);
    const row = (path: string) =>
      path.replace(`packages/${name}/dist/`, `@suite/${name}/`).replace(/(?:\/index)?\.js$/, "");
    expect(sizes.length).toBeGreaterThan(9);
    const missing = sizes.filter(
      ({ path, limit }) => !new RegExp(`^\\| \`${row(path)}\` .*\\| under ${limit} +\\|$`, "m").test(readme),
    );
    expect(missing).toEqual([]);
  });
});

describe("a docstring", () => {
  const words =
    "It What Who Whose Which How Of That Those These They As By Not Nobody Whatever In Why So With Also Its Their To " +
    "Where When Undefined From For Set Without Up After Before On Under Among Behind Beside Between Over Outside Such";
  const riddle = new RegExp(`/\\*\\*\\s+(?:\\*\\s+)?(?:The same|${words.replaceAll(" ", "|")})[\\s,].*`, "g");
  const notOurs = /^(?:\..+|node_modules|dist|coverage|.+-output)$/;
  const writtenIn = (dir: string): readonly string[] =>
    readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
      if (entry.isDirectory()) return notOurs.test(entry.name) ? [] : writtenIn(join(dir, entry.name));
      return /\.(?:tsx?|m[jt]s)$/.test(entry.name) ? [join(dir, entry.name)] : [];
    });

  it("names its noun first: it begins with no question, pronoun or preposition", () => {
    const written = writtenIn(".");
    expect(written.length).toBeGreaterThan(2000);
    const found = written.flatMap((path) => (read(path).match(riddle) ?? []).map((line) => `${path}: ${line}`));
    expect(found).toEqual([]);
  });
});
