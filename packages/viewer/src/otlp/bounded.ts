import protobuf from "protobufjs/light.js";
import { ViewerError } from "../errors.js";

/**
 * The most values that one request may have: in JSON its objects, lists and members, in protobuf its fields. A packed body of
 * 58 kB can have 20 million, which take a minute and gigabytes of memory.
 */
const MOST_VALUES = 2_000_000;
/** The deepest nesting of JSON that is read. */
const DEEPEST = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** The error of a request that has more values than are read. */
export class TooMany extends ViewerError {
  constructor() {
    super("ERR_VIEWER_REQUEST", `The request has more than ${MOST_VALUES} values. Send fewer spans in one request.`);
  }
}

/**
 * Counts the values of JSON before it is parsed.
 *
 * @throws TooMany; ViewerError `ERR_VIEWER_REQUEST` if the JSON is nested too deeply
 */
export function checkJson(body: Buffer): void {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number;
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === COMMA) values++;
    else if (opening.has(byte)) {
      values++;
      if (++depth > DEEPEST)
        throw new ViewerError("ERR_VIEWER_REQUEST", `The JSON is nested deeper than ${DEEPEST} levels.`);
    } else if (closing.has(byte)) depth--;
    if (values > MOST_VALUES) throw new TooMany();
  }
}

/** Returns the place of the quote that ends the string, or the length of a body that ends before it. */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE, start + 1); end >= 0; end = body.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return body.length;
}

/** Returns a reader of protobuf that throws `TooMany` after so many fields. */
export function boundedReader(body: Buffer): protobuf.Reader {
  const reader = protobuf.Reader.create(body);
  const tag = reader.tag.bind(reader);
  let fields = 0;
  reader.tag = () => {
    if (++fields > MOST_VALUES) throw new TooMany();
    return tag();
  };
  return reader;
}
