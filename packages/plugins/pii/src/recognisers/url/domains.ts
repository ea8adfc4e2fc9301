import { parse } from "tldts";
import { isAlpha, isDigit, isWord, unitAt } from "../../scan/characters.js";

/**
 * The kind of a name's ending, by how likely the name is a host. Many public suffixes also end other names in code and
 * prose.
 */
export type Ending = "sure" | "likely" | "file" | "none";

const dot = 46;
const hyphen = 45;
const underscore = 95;

/** Endings that are recognised in running text without further context. */
const sure = new Set(
  `com net org edu gov mil biz website asia aero coop museum online
  ae ar au ch cl cn cz de dk ee eg es eu fi fr gr hk hu il ir jp ke kr kz lu lv mx ng nl nz pe pk ru
  sa se sg sk tw ua uk uy ve vn za`.split(/\s+/),
);

/** Endings that words and names in code have too: they need a path, a word before them, or to stand alone. */
const likely = new Set(
  `info io ai app dev cloud xyz shop site store blog tech page tv me cc co us ca ac ad af ag al as at aw az ba bb bd be bf bg bh
  bi bj bm bn bo br bs bt bw by bz cd cf cg ci cm cr cu cv cw cy dj dm dz ec et fj fm fo ga gd ge gf gg gh gi gl gm gn gp gq
  gt gu gw gy hm hn hr ht id ie iq is it je jm jo kg kh ki km kn kp kw ky la lb lc li lk lr ls lt ly ma mc mg mh mn mo mp mq mr mt
  mu mv mw mx my mz na nc ne nf ni no np nr nu om pa pf pg ph pn pr pt pw py qa re ro rw sb sc sd si sl sm sn sr ss st su sv sx
  sy sz tc td tg th tj tk tl tm tn to tr tt tz ug uz va vc vg vi vu wf ws ye zm zw`.split(/\s+/),
);

/** Endings that are the endings of files as well. */
const files = new Set("am br cc do gs in md mk ml mm pl pm ps py rs sh so tf zip mov".split(" "));

/** Endings in other scripts are recognised without further context. */
const foreign = /^[^\0-\x7f]+$/;

/** The endings above as a trie of letters: from a place and a letter to the next place, 0 for none. */
const letters = 26;
const longestTrie = 1000;
const trie = new Uint16Array(longestTrie * letters);
/** The places at which such an ending ends. */
const isEnding = new Uint8Array(longestTrie);
let places = 1;
for (const ending of [...sure, ...likely, ...files]) {
  let place = 0;
  for (const letter of ending) {
    const index = place * letters + letter.charCodeAt(0) - 97;
    if (trie[index] === 0) trie[index] = places++;
    place = trie[index] ?? 0;
  }
  isEnding[place] = 1;
}

/**
 * Returns true if the part of a name that begins at `from`, after a dot, may be a known ending. Most parts of names in
 * code are ruled out after two or three letters. A part followed by another one is not an ending, since the next dot is
 * checked itself.
 */
export function mayBeEnding(text: string, from: number, to: number): boolean {
  let place = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (isAlpha(code)) {
      place = trie[place * letters + (code | 32) - 97] ?? 0;
      if (place === 0) return false;
      continue;
    }
    if (code > 127 || code === hyphen || code === underscore) return true;
    if (isDigit(code) || (code === dot && isWord(unitAt(text, at + 1)))) return false;
    break;
  }
  return isEnding[place] === 1;
}

/** First parts of names in reverse order: `com.example.app`, `java.net`. */
const reversed = new Set(["com", "org", "net", "io", "edu", "gov", "java", "javax", "system"]);

/** The sort of the ending of a name. */
export function endingOf(name: string): Ending {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const ending = last.toLowerCase();
  const ascii = sure.has(ending) || likely.has(ending) || files.has(ending);
  if (!ascii && !foreign.test(ending)) return "none";
  if (last !== ending && (name !== name.toUpperCase() || ending.length === 2 || ending === "net")) return "none";
  const lower = name.toLowerCase();
  if (reversed.has(lower.slice(0, lower.indexOf(".")))) return "none";
  const { isIcann, publicSuffix, domain } = parse(lower, options);
  if (!isIcann || domain === null || publicSuffix === null) return "none";
  if (publicSuffix.includes(".") || !ascii || sure.has(ending)) return "sure";
  return files.has(ending) ? "file" : "likely";
}

/** Returns true if the letters after the last dot are a top-level domain. */
export const hasPublicSuffix = (name: string): boolean => parse(name.toLowerCase(), options).isIcann === true;

/**
 * Returns true if a name has the letters, digits and hyphens of a host (RFC 1123): in its last two parts no underscore,
 * and no hyphen at either end of a part.
 */
export function isHostName(name: string): boolean {
  let label = 0;
  for (let at = 0; at <= name.length; at++) {
    const code = at < name.length ? name.charCodeAt(at) : dot;
    if (code !== dot) continue;
    const length = at - label;
    if (length === 0 || length > 63 || name.charCodeAt(label) === hyphen || name.charCodeAt(at - 1) === hyphen)
      return false;
    label = at + 1;
  }
  const last = name.lastIndexOf("_");
  return last < 0 || last < name.lastIndexOf(".", name.lastIndexOf(".") - 1);
}

const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, mixedInputs: false };
