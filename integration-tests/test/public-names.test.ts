import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { publishable, root } from "../../scripts/workspaces.mjs";

// The reports of the public API list all exported names. CI checks that they are current (`npm run api -- --check`).

interface Exported {
  readonly entry: string;
  readonly name: string;
  /** True for a function, a class or a constant. */
  readonly isValue: boolean;
  readonly hasComment: boolean;
}

const declaration =
  /^((?:\/\/ .*\n)+)(?:export )?(?:declare )?(?:abstract )?(function|const|class|interface|type|enum) ([\w$]+)/gm;

/** Returns the exported names of a report. A name with several declarations needs one comment for each. */
const exportsOf = (report: string): readonly Exported[] =>
  report
    .split(/^## /m)
    .slice(1)
    .flatMap((section) =>
      [...section.matchAll(declaration)].map(([, comment = "", kind = "", name = ""]) => ({
        entry: section.slice(0, section.indexOf("\n")).trim(),
        name,
        isValue: ["function", "const", "class"].includes(kind),
        hasComment: !comment.includes("(undocumented)"),
      })),
    );

/** Entries for other packages of the suite, and interfaces whose values only the suite creates. */
const inside = /\/(?:internal|framework|adapter)$/;
const notOptions = new Set(["SendOptions"]);

/** Returns the options of a section, as `Interface.option`. */
const optionsOf = (section: string): readonly string[] =>
  [...section.matchAll(/^(?:export )?interface (\w*Options)\b[^{]*\{\n([\s\S]*?)\n\}/gm)].flatMap(
    ([, name = "", body = ""]) =>
      notOptions.has(name)
        ? []
        : [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, option]) => `${name}.${option}`),
  );

/** Returns the sections of a package's report, without those of entries for other packages of the suite. */
const exportsOfPackage = (name: string): readonly string[] =>
  reports
    .filter((report) => report.startsWith(`# Public API of ${name}\n`))
    .flatMap((report) => report.split(/^## /m).slice(1))
    .filter((section) => !inside.test(section.slice(0, section.indexOf("\n")).trim()));

const reports = readdirSync(join(root, "etc")).map((file) =>
  readFileSync(join(root, "etc", file), "utf8").replaceAll("\r\n", "\n"),
);
const exported = reports.flatMap(exportsOf);
const named = ({ entry, name }: Exported) => `${name} of ${entry}`;

/** The guides, also those in folders of `docs`. A migration note names each name. */
const guidesOf = () =>
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".md") && !/^(?:api|site)\/|^migration\.md$/.test(file),
  );

it("each exported name has a doc comment", () => {
  expect(exported.length).toBeGreaterThan(800);
  expect(exported.filter(({ hasComment }) => !hasComment).map(named)).toEqual([]);
});

it("each option is named in the README of its package or in a guide", () => {
  const guides = guidesOf();
  const docs = guides.map((file) => readFileSync(join(root, "docs", file), "utf8")).join("");
  const options: string[] = [];
  const missing = publishable().flatMap(({ dir, manifest }) => {
    const words = new Set((readFileSync(join(root, dir, "README.md"), "utf8") + docs).match(/[A-Za-z_$][\w$]*/g) ?? []);
    const found = exportsOfPackage(manifest.name).flatMap(optionsOf);
    options.push(...found);
    return found.filter((option) => !words.has(option.slice(option.indexOf(".") + 1)));
  });
  expect(options.length).toBeGreaterThan(450);
  expect([...new Set(missing)]).toEqual([]);
});

it("each function, class and constant of a main entry is named in a README or a guide", () => {
  const guides = guidesOf();
  const paths = [
    "README.md",
    ...guides.map((file) => join("docs", file)),
    ...publishable().map(({ dir }) => join(dir, "README.md")),
  ];
  const words = new Set(
    paths.flatMap((path) => readFileSync(join(root, path), "utf8").match(/[A-Za-z_$][\w$]*/g) ?? []),
  );
  const values = exported.filter(({ entry, isValue }) => isValue && /^@suite\/[^/]+$/.test(entry));
  expect(values.length).toBeGreaterThan(200);
  expect(values.filter(({ name }) => !words.has(name)).map(named)).toEqual([]);
});
