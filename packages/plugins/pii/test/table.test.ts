import { describe, expect, it } from "@jest/globals";
import { createRedactor, redactTable, type TableOptions } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const redactor = createRedactor({ phone: "redact", us_ssn: "redact", email: "redact", date_of_birth: "redact" });
const treated = (text: string, options?: TableOptions): string => redactTable(text, redactor, options);

describe("redactTable takes the name of a column as context", () => {
  it.each([
    [",", "\n"],
    [";", "\r\n"],
    ["\t", "\n"],
  ])("with the separator %j", (separator, end) => {
    const table = (rows: readonly (readonly string[])[]): string =>
      rows.map((row) => row.join(separator) + end).join("");
    const head = ["name", "phone", "SSN", "Date of birth", "order"];
    expect(treated(table([head, ["Jane", "4155552671", "536904399", "03/22/1980", "4155552671"]]))).toBe(
      table([head, ["Jane", "[REDACTED_PHONE]", "[REDACTED_US_SSN]", "[REDACTED_DATE_OF_BIRTH]", "4155552671"]]),
    );
  });

  it("in a table of Markdown", () => {
    const head = "| name | phone |\n| --- | --- |\n";
    expect(treated(`${head}| Jane | 4155552671 |`)).toBe(`${head}| Jane | [REDACTED_PHONE] |`);
  });

  it("without a header, if the columns are named", () => {
    expect(treated("Jane,4155552671", { columns: ["name", "phone"] })).toBe("Jane,[REDACTED_PHONE]");
    expect(treated("Jane~4155552671", { columns: ["name", "phone"], separator: "~" })).toBe("Jane~[REDACTED_PHONE]");
  });
});

describe("redactTable keeps a table as it is written", () => {
  it("with quotes, line breaks in cells, and empty cells", () => {
    const text = '\ufeffname,phone,note\r\n"Roe, Jane","4155552671","says ""hi""\r\nto j@x.com"\r\n,,\r\n';
    expect(treated(text)).toBe(
      '\ufeffname,phone,note\r\n"Roe, Jane","[REDACTED_PHONE]","says ""hi""\r\nto [REDACTED_EMAIL]"\r\n,,\r\n',
    );
  });

  it("puts a replacement into quotes if it needs them", () => {
    const quoting = createRedactor({ email: { strategy: () => 'a "b", c' } });
    expect(redactTable("mail\nj@x.com\n", quoting)).toBe('mail\n"a ""b"", c"\n');
  });

  it("if nothing is found, whatever the text is", () => {
    const text = fc.array(fc.constantFrom('"', '""', ",", ";", "\t", "|", "\n", "\r\n", "a", " ", "é", "😀"));
    fc.assert(
      fc.property(text, (pieces) => {
        expect(treated(pieces.join(""))).toBe(pieces.join(""));
      }),
      { numRuns: runs(500) },
    );
  });

  it("with a quote that is never closed", () => {
    expect(treated('size,phone\n5",4155552671\n"a,4155552671\n')).toBe(
      'size,phone\n5",[REDACTED_PHONE]\n"a,[REDACTED_PHONE]\n',
    );
  });
});

describe("redactTable refuses", () => {
  it.each([{ separator: "" }, { separator: '"' }, { columns: "name" as never }, { headers: true } as never])(
    "invalid options: %j",
    (options: TableOptions) => {
      expect(() => treated("a,b", options)).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
    },
  );

  it("a value that is blocked, and names its column", () => {
    const blocking = createRedactor({ phone: "block" });
    expect(() => redactTable("name,phone\nJane,4155552671", blocking)).toThrow(
      expect.objectContaining({ code: "ERR_PII_BLOCKED", at: expect.objectContaining({ path: "[1].phone" }) }),
    );
  });
});
