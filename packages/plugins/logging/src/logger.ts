/** The level of a log line. */
export type Level = "debug" | "info" | "warn" | "error";

/** The fields of a line. Names follow OpenTelemetry if it defines one. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A logger compatible with pino and bunyan: each level is a method that takes the fields and the message. */
export type Logger = { readonly [level in Level]: (fields: Fields, message: string) => void };

const levels: readonly Level[] = ["debug", "info", "warn", "error"];
const unquoted = /^[\w.:/@+-]{1,200}$/;
const longest = 2000;

/**
 * Creates a logger that writes one line per entry to standard error: time, level, message and `name=value`. Values from
 * models or users are quoted, so that they can neither start a new line nor send control characters to the terminal.
 *
 * @param options.level the lowest level that is written. Default: `info`.
 * @param options.write receives each line. Default: `console.error`.
 */
export function consoleLogger(
  options: { readonly level?: Level; readonly write?: (line: string) => void } = {},
): Logger {
  const { level: least = "info", write = (line) => console.error(line) } = options;
  const of = (level: Level) => (fields: Fields, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    const fieldTexts = Object.entries(fields).map(([name, value]) =>
      value === undefined ? "" : ` ${name}=${quoted(value)}`,
    );
    write(`${new Date().toISOString()} ${level} ${message}${fieldTexts.join("")}`);
  };
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}

function quoted(value: string | number | boolean): string {
  if (typeof value !== "string" || unquoted.test(value)) return `${value}`;
  const text = value.length > longest ? `${value.slice(0, longest)}…` : value;
  // JSON does not escape some characters that control a terminal or change the text direction.
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
