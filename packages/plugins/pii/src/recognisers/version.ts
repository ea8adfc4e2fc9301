import { isWord } from "../scan/characters.js";

/** Words after which four numbers are a version. */
const version =
  /(?:^|[^A-Za-z])(?:[Vv]8?|[Vv]er|[\w-]*(?:[Vv]ersions?|[Vv]ersion(?:added|changed)|[Rr]elease|[Ff]irmware|[Bb]uild)|VERSION)$/;
const longestWord = 24;
/** The characters that may stand between such a word and the numbers. */
const marks = /["'`\s:=(\\]+$/;
/**
 * `pkg==`, `pkg>=`, `^`, `pkg:` of a build tool, each right before the numbers; or a word for parts of documents and
 * changes.
 */
const listed =
  /(?:\w ?[=~<>!]=|(?:^|[\s"'`])[\^~]|[a-z]:)["']?$|(?:^|[^A-Za-z])(?:sections?|RFC ?\d{3,4}|kernel|sect|chapter|clause|paragraph|appendix|figure|table|annex|since|in|of|than|before|after|until|through|using|requires?|prior to|upgrade[ds]? to|updated? to|bump(?:ed)? to|C\+\+\d\d)[\s:(]{1,2}$|§ ?$/i;
/** `nginx/`, `lib-`, `lib_`: a product or a file (RFC 9110, 10.1.5), or a host before its address. */
const product = /[A-Za-z][\w+]{0,30}[/_-]$/;
const machine = /(?:^|[^A-Za-z])(?:ip|host|addr|address|server|dns|gateway)[/_-]$/i;
/**
 * Numbers one after another with decimals among them, as they draw a line: `2.83-2.12 3.51.98.32`, `a.75.75 0 110
 * 1.5.75.75`.
 */
const series =
  /(?:^|[^\d.])-?\d*\.\d+[achlmqstvz]?-$|(?:(?:^|[^\d.])\d*\.\d+[ ,-]-?\d*\.\d+|[ac-hlmqstvz]-?\d*\.\d[\d .,-]*)[ ,]$/i;
/** Private addresses: a number in these ranges is meant as an address. */
const local = /^(?:10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;
/**
 * Object identifiers of X.500's attributes and extensions, which have four numbers like an address (ISO/IEC 9594-6,
 * 9594-8).
 */
const objectIdentifier = /^2\.5\.(?:4|29)\.\d{1,2}$/;
/** Versions begin with a small number. */
const small = /^[0-3]?\d\./;

/** Well-known addresses, and those used as examples in documentation. */
const known =
  /^(?:1\.1\.1\.1|1\.0\.0\.1|8\.8\.[48]\.[48]|9\.9\.9\.\d{1,2}|4\.2\.2\.\d|1\.2\.3\.4|5\.6\.7\.8|0\.0\.0\.0)$|^(\d+)(?:\.\1){3}$/;
const largestFirst = 31;
const largest = 19;

/**
 * Returns true if all four numbers are as small as those of versions and sections, as in one of 16,000 addresses.
 * Returns false for private, well-known and example addresses.
 */
export function isSmall(value: string): boolean {
  if (local.test(value) || known.test(value)) return false;
  const [first = 0, ...more] = value.split(".").map(Number);
  // `1.1.1.1` and `5.6.7.8` are typical examples of addresses.
  if (more.every((part) => part === first) || more.every((part, index) => part === first + index + 1)) return false;
  return first <= largestFirst && more.every((part) => part <= largest);
}

/**
 * Returns true if the text before four numbers shows that they are a version, a section or coordinates instead of an
 * address.
 */
export function isNumbered(before: string, value: string): boolean {
  const word = before.replace(marks, "");
  if (isWord(word.charCodeAt(word.length - 1)) && version.test(word.slice(-longestWord))) return true;
  if (!small.test(value) || local.test(value)) return false;
  return objectIdentifier.test(value) || listed.test(before) || series.test(before);
}

/**
 * Returns true if four numbers are the version of a product whose name stands right before them, whatever stands before
 * that.
 */
export function isOfProduct(before: string, value: string): boolean {
  if (value.endsWith(".0.0.0") && /[A-Za-z]\/$/.test(before)) return true;
  return small.test(value) && !local.test(value) && product.test(before) && !machine.test(before);
}
