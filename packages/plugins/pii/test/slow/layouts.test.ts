import { expect, it } from "@jest/globals";
import { detect } from "@suite/pii";
import { recognisers } from "../../src/recognisers/registry.js";
import { type Layout, layouts } from "../layouts.js";
import { type Cell, rows, sensitive } from "../rows.js";

const count = 400;

/** The rows in a layout, and what is to be found in them: in order, each as `type value` in the layout's spelling. */
function written(
  { escape: spell = (value) => value, row, between = "\n", head = "", tail = "" }: Layout,
  cells: Cell[][],
) {
  const escaped = cells.map((line) => line.map((cell) => ({ ...cell, text: spell(cell.value) })));
  return {
    text: head + escaped.map(row).join(between) + tail,
    expected: escaped.flatMap((line) =>
      line.flatMap(({ type, text }) => (type === undefined ? [] : [`${type} ${text}`])),
    ),
  };
}

/** The items that are in one list more often than in another. */
function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of other) counts.set(item, (counts.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const left = counts.get(item) ?? 0;
    counts.set(item, left - 1);
    return left <= 0;
  });
}

it("has values of every built-in type", () => {
  expect(sensitive.map(({ type }) => type).sort()).toEqual(recognisers.map(({ type }) => type).sort());
});

it.each(Object.entries(layouts))("finds every value, and nothing else, in rows as %s", (name, layout) => {
  const { text, expected } = written(layout, rows(name.length, count));
  const found = detect(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
  expect({ missed: without(expected, found), taken: without(found, expected) }).toEqual({ missed: [], taken: [] });
});
