import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "..", name), "utf8");

it("re2 is an optional peer: an installation of this package compiles nothing", () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    read("package.json"),
  ) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  expect({ ...dependencies, ...optionalDependencies }).not.toHaveProperty("re2");
  expect(peerDependencies).toHaveProperty("re2");
  expect(peerDependenciesMeta).toMatchObject({ re2: { optional: true } });
  // The flag would also remove the platform binaries of the user's other tools.
  expect(read("README.md")).not.toContain("--omit=optional");
});
