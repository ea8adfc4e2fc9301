import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import { documented, exampleValue, guides, unpadded, withLists } from "../../../../scripts/pii-types.mjs";
import { aliases, furtherRecognisers, recognisers } from "../src/recognisers/registry.js";

const all = [...recognisers, ...furtherRecognisers];

it.each(guides)("the lists of types in %s match the registry: npm run pii-types", async (file) => {
  const guide = await readFile(file, "utf8");
  expect(guide).toMatch(/<!-- (?:descriptions of )?types -->[\s\S]+<!-- (?:descriptions of )?further types -->/);
  expect(unpadded(withLists(guide, { aliases, furtherRecognisers, recognisers }))).toBe(unpadded(guide));
});

it("the guide shows the example of a Presidio server as it stands", async () => {
  const root = join(import.meta.dirname, "../../../..");
  const example = await readFile(join(root, "examples/presidio/presidio.ts"), "utf8");
  expect(await readFile(join(root, "docs/pii.md"), "utf8")).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});

describe.each(all.map(({ type }) => [type]))("the docstring of %s", (type) => {
  const { text, examples } = documented().get(type) ?? { text: "", examples: [] };

  it("describes what is found, and has examples that are found whole and not found masked", () => {
    expect(text).not.toBe("");
    expect(examples).not.toEqual([]);
    const masking = createRedactor({ [type]: "mask" });
    for (const example of examples) {
      expect([example, masking.detect(example).map(({ start, end }) => [start, end])]).toEqual([
        example,
        [[example.length - exampleValue(example).length, example.length]],
      ]);
      const masked = masking.redact(example);
      expect(masked).not.toContain(exampleValue(example));
      expect(masking.detect(masked)).toEqual([]);
    }
  });
});
