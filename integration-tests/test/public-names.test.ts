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

const reports = readdirSync(join(root, "etc")).map((file) =>
  readFileSync(join(root, "etc", file), "utf8").replaceAll("\r\n", "\n"),
);
const exported = reports.flatMap(exportsOf);
const named = ({ entry, name }: Exported) => `${name} of ${entry}`;

it("each exported name has a doc comment", () => {
  expect(exported.length).toBeGreaterThan(800);
  expect(exported.filter(({ hasComment }) => !hasComment).map(named)).toEqual([]);
});

it("each function, class and constant of a main entry is named in a README or a guide", () => {
  const guides = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md") && file !== "migration.md");
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
