import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { cell, csvHeader, csvLine } from "../../src/export/csv.js";
import { readRecord } from "../../src/query/found.js";

/** The cells of one line, as RFC 4180 has them. */
function cellsOf(line: string): string[] {
  const cells = Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
  return cells;
}

describe("CSV", () => {
  it("has a cell for each column, whatever a record holds", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: "grapheme" }), (type, text) => {
        const bytes = Buffer.from(JSON.stringify({ type, decision: text, content: { text } }));
        const found = readRecord({ file: "audit-1.jsonl", index: 3, offset: 0, bytes }, 1);
        const cells = cellsOf(found ? csvLine(found) : "");
        expect(cells).toHaveLength(csvHeader.split(",").length);
        expect(cells.at(-1)).toBe(JSON.stringify({ text }));
      }),
      { numRuns: runs(200) },
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])("makes no formula of %j", (text) => {
    expect(cellsOf(cell(text))).toEqual([`'${text}`]);
  });

  it("leaves other text as it is", () => {
    expect([cell("a"), cell(undefined), cell("a,b"), cell('say "x"'), cell("two\nlines")]).toEqual([
      "a",
      "",
      '"a,b"',
      '"say ""x"""',
      '"two\nlines"',
    ]);
  });
});
