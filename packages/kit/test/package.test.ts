import { describe, expect, it } from "@jest/globals";
import { packageUrl } from "@suite/kit/package";

describe("packageUrl", () => {
  it.each([
    [
      "a bundled module",
      "file:///src/app/node_modules/@suite/cli/dist/cli.js",
      "file:///src/app/node_modules/@suite/cli/",
    ],
    ["a module in a folder", "file:///app/dist/x/cli/dist/cli/main.js", "file:///app/dist/x/cli/"],
    ["a source", "file:///app/packages/cli/src/cli/main.ts", "file:///app/packages/cli/"],
    ["a module that a user bundled", "file:///app/main.js", "file:///app/"],
  ])("returns the folder of the package for %s", (_, from, folder) => {
    expect(packageUrl(from).href).toBe(folder);
  });
});
