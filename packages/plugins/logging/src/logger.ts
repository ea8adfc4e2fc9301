/** The levels of a line. */
export type Level = "debug" | "info" | "warn" | "error";

/** The fields of a line, under OpenTelemetry's names where it has one. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A logger as pino and bunyan are: each level takes the fields of a line, and its message. */
export type Logger = { readonly [level in Level]: (fields: Fields, message: string) => void };

const levels: readonly Level[] = ["debug", "info", "warn", "error"];
const plain = /^[\w.:/@+-]{1,200}$/;
const longest = 2000;

/**
 * Makes a logger that writes one line of text each to standard error: time, level, message and `name=value`. Values that
 * models or users write are quoted, so that none can begin a line of its own or reach the terminal.
 *
 * @param options.level the least level that is written. Default: `info`.
 * @param options.write takes each line. Default: `console.error`.
 */
export function consoleLogger(
  options: { readonly level?: Level; readonly write?: (line: string) => void } = {},
): Logger {
  const { level: least = "info", write = (line) => console.error(line) } = options;
  const of = (level: Level) => (fields: Fields, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    const said = Object.entries(fields).map(([name, value]) =>
      value === undefined ? "" : ` ${name}=${quoted(value)}`,
    );
    write(`${new Date().toISOString()} ${level} ${message}${said.join("")}`);
  };
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}

function quoted(value: string | number | boolean): string {
  if (typeof value !== "string" || plain.test(value)) return `${value}`;
  const text = value.length > longest ? `${value.slice(0, longest)}…` : value;
  // JSON leaves some characters as they are that a terminal acts on, or that turn text round.
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
