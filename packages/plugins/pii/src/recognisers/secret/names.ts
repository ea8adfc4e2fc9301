import { type Kind, kindOf } from "./credential-words.js";
import { beforePassword } from "./phrases.js";

const opening = new Set("\"'`“„«\\[{ \t\r\n");
const operators = new Set("=:>,|(~?<-：");
const closing = new Set("\"'`\\])? \t*");
/** Characters before the beginning of a name. */
const outside = new Set("\r\n\"'`;{},(<&|=，。");
const longestName = 48;

/** Most values have nothing of all this before them. */
const hint =
  /key|token|secret|pass|pwd|auth|cred|basic|bearer|jwt|ssws|user|log-?in|\b(?:pat|sig|pw|u)\b|wort|woord|senha|haslo|heslo|parola|lozinka|sifre|salasana|jelszo|adgangskode|cookie|sess|ident|secur|sandi|[^\0-\x7f]|\s-[paw][ =]?["']?$/i;
/** `Bearer …` and its like, as an `Authorization` header has them. */
const scheme = /(?:^|[\s:"'=])(bearer|basic|token|apikey|api-key|ssws) ["'`]?$/i;
/** `--api-key`, as on a command line. */
const option = /(?:^|\s)--?[a-z][a-z-]*$/i;
/** `b"`, `@"`: what may stand before a quote. */
const prefixed = /(?:^|[^\w@$])[a-z@$]{1,2}$/i;
/** One space, or a quote, and nothing that assigns. */
const aside = /\w ?["'`]?$/;
/** A type annotation before a value: `: &str`. */
const annotation = /(?<=[\w?)\]])\s?:\s*[&*]?(?:'static )?[A-Za-z][\w.[\]]{0,24}\s*$/;
/** `name: API_KEY\n  value`, `"name":"API_KEY","value"`, `key="ApiKey" value`. */
const pair =
  /\b(?:name|key|id)["']?\s*[:=]\s*["']?([\w.-]{3,40})["']?,?\s+["']?value["']?$|\b(?:name|key)"?:"([\w.-]{3,40})","value$/i;
/** `dkim=pass header.i=`: the result of a mail server's check (RFC 8601). */
const verdict = /\b(?:arc|auth|bimi|dkim|dkim-atps|dmarc|domainkeys|iprev|sender-id|spf)=pass\s[^\n]*$/i;
/** `password was set to `, as one word for what assigns. */
const changed = /\s(?:(?:is|was|were|has been|have been|be)\s)?(?:set|reset|changed|updated)\sto(?=\s?:?\s["'`]?$)/i;
const copula = /^(?:is|ist|lautet|es|est|este|é|è|jest|to|je|är|er|on|was|will be)$/i;
/** `Cookie: a=1; sid=`, as HTTP has it, or a name that only cookies have. */
const cookie =
  /\b(?:set-)?cookie["']?\s?[:=]\s?["']?(?:[^\s;=]{1,40}=[^\s;]{0,40};\s?){0,8}[\w.-]{1,40}=$|\b(?:phpsessid|jsessionid|sessionid|connect\.sid|laravel_session|_gitlab_session|asp\.net_sessionid|aspsessionid[a-z]{0,8})=$/i;

/**
 * Returns the kind of value according to the name before it: `api_key = "`, `"token": "`, `Bearer `, `--password `,
 * `setSecret("`, `<apiKey>`, `my API key is `.
 *
 * @param before The units before the value.
 */
export function nameBefore(before: string): Kind | undefined {
  if (!hint.test(before) || before.includes("arn:") || verdict.test(before)) return undefined;
  if (beforePassword(before)) return "password";
  if (cookie.test(before)) return "key";
  before = before.replace(changed, " is");
  const value = openingStart(before);
  const operator = before.slice(operatorStart(before, value), value);
  if (operator === "") return withoutOperator(before, value);
  const name = before.slice(0, nameEnd(before, value - operator.length));
  // A list puts nothing before its members; in a call's arguments, as in pairs, the name has quotes.
  if (operator.endsWith(","))
    return /^["'`]/.test(before.slice(name.length)) ? weaker(kindOf(wordsAtEnd(name))) : undefined;
  // `set_password(user_2 …`: the name of a variable.
  if (operator.endsWith("(") && value === before.length) return undefined;
  const words = wordsAtEnd(operator.includes("=") ? name.replace(annotation, "") : name);
  if (words.at(-1)?.toLowerCase() !== "value") return kindOf(words);
  const [, first, second] = pair.exec(name) ?? [];
  return kindOf(wordsAtEnd(first ?? second ?? ""));
}

/** Handles `Bearer …`, `--password …`, `my API key is …`, and `the API key …` before a random value. */
function withoutOperator(before: string, end: number): Kind | undefined {
  if (end === before.length || end === 0) return undefined;
  const authorization = scheme.exec(before)?.[1];
  if (authorization !== undefined) return authorization.toLowerCase() === "basic" ? "basic" : "key";
  const name = before.slice(0, nameEnd(before, end));
  const words = wordsAtEnd(name);
  if (copula.test(words.at(-1) ?? "") || option.test(name)) return kindOf(words);
  return aside.test(before) ? weaker(kindOf(words)) : undefined;
}

/** Returns the kind according to a name near a value that is not assigned to it. */
const weaker = (kind: Kind | undefined): Kind | undefined =>
  kind === "password" ? "strong" : kind === "cipher" ? undefined : kind;

/** The beginning of the quotes and brackets that a value is put in. */
function openingStart(before: string): number {
  const start = without(opening, before, before.length);
  if (start === before.length || !"\"'`".includes(before.charAt(start))) return start;
  const prefix = prefixed.exec(before.slice(0, start))?.[0].replace(/^[^\w@$]/, "") ?? "";
  return without(opening, before, start - prefix.length);
}

/** The beginning of what assigns, at most three signs. */
const operatorStart = (before: string, end: number): number => Math.max(without(operators, before, end), end - 3);

const nameEnd = (before: string, end: number): number => without(closing, before, end);

/** The beginning of the characters of a set that stand before `end`. */
function without(set: ReadonlySet<string>, text: string, end: number): number {
  let start = end;
  while (start > 0 && set.has(text.charAt(start - 1))) start--;
  return start;
}

/** The words of the name that ends the text: `apiKey` has two. */
function wordsAtEnd(text: string): readonly string[] {
  let start = text.length;
  while (start > 0 && text.length - start < longestName && !outside.has(text.charAt(start - 1))) start--;
  return text
    .slice(start)
    .split(/[^\p{L}\d]+|(?<=[a-z\d])(?=[A-Z])/u)
    .filter((word) => word !== "");
}
