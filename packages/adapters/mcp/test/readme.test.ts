import { expect, it } from "@jest/globals";
import { loadReadme, shape } from "../../../../scripts/readme.mjs";

const readme = await loadReadme(import.meta.dirname);

it("the examples of the README run as they stand: the first leaks, the second prints what is shown", async () => {
  expect(await readme.run(0)).toBe("Shipped to jane@example.com.");
  expect(shape(await readme.run(1))).toBe(shape(readme.shown));
});
