import { isInvisible } from "./characters.js";
import { type Finding, scoreOf } from "./finding.js";
import { instructionsIn } from "./instructions.js";

/** The minimum number of letters for hidden content to count as text. */
const leastLetters = 16;

/**
 * Text that a person does not see: invisible characters that carry something, HTML comments, elements that are not
 * shown.
 */
export function hiddenIn(text: string): readonly Finding[] {
  return [...invisibleIn(text), ...commentsIn(text), ...elementsIn(text)];
}

/** The maximum number of tag characters after a black flag in the flag of a region. */
const longestFlag = 7;

/**
 * Runs of invisible characters. Joiners in emoji and in scripts that need them are single, and between letters of
 * theirs.
 */
function invisibleIn(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let within = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    if (!isInvisible(code) || code === 0xad) {
      at += code > 0xffff ? 2 : 1;
      continue;
    }
    const start = at;
    let count = 0;
    let tags = 0;
    let overrides = 0;
    for (let next = code; isInvisible(next); next = text.codePointAt(at) ?? 0) {
      at += next > 0xffff ? 2 : 1;
      count++;
      if (next >= 0xe0000) tags++;
      if (next === 0x202d || next === 0x202e) overrides++;
    }
    const hidden = (rule: string, weight: number) => found.push({ type: "hidden_text", rule, weight, start, end: at });
    const isFlag = tags > 0 && tags <= longestFlag && text.codePointAt(start - 2) === 0x1f3f4;
    if (isFlag) continue;
    if (tags > 0) hidden("tags", 0.95);
    else if (overrides > 0) hidden("direction", 0.5);
    else if (count > 3) hidden("zero_width", 0.8);
    else if (isLetter(text.charCodeAt(start - 1)) && isLetter(text.charCodeAt(at))) {
      if (++within === 3) hidden("zero_width", 0.5);
    }
  }
  return found;
}

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** HTML comments, and comments of Markdown. */
function commentsIn(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (const [open, close] of [
    ["<!--", "-->"],
    ["[//]: # (", ")"],
    ["[comment]: # (", ")"],
  ] as const) {
    for (let at = text.indexOf(open); at >= 0; ) {
      const inner = at + open.length;
      const ends = text.indexOf(close, inner);
      const end = ends < 0 ? text.length : ends + close.length;
      const weight = weightOf(text.slice(inner, ends < 0 ? text.length : ends));
      if (weight > 0) found.push({ type: "hidden_text", rule: "comment", weight, start: at, end });
      at = text.indexOf(open, end);
    }
  }
  return found;
}

/** Ways of CSS not to show something, without white space. */
const unseen: readonly string[] = [
  "display:none",
  "visibility:hidden",
  "visibility:collapse",
  "font-size:0",
  "opacity:0;",
  'opacity:0"',
  "opacity:0'",
  "opacity:0.0",
  "color:transparent",
  "color:white",
  "color:#fff",
  "text-indent:-",
  "left:-9",
  "top:-9",
  "height:0",
  "width:0",
  "clip:rect(0",
];
/** The maximum number of characters of one tag that are checked. */
const longestTag = 2000;

/** Finds elements hidden by an inline style or an attribute. Style sheets are not evaluated. */
function elementsIn(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (let at = text.indexOf("<"); at >= 0; ) {
    const close = text.indexOf(">", at);
    if (close < 0) break;
    const tag = close - at < longestTag ? text.slice(at, close + 1).toLowerCase() : "";
    let next = close + 1;
    if (/^<[a-z]/.test(tag) && isUnseen(tag)) {
      const ends = text.indexOf("</", close);
      const end = ends < 0 ? text.length : ends;
      const weight = weightOf(text.slice(close + 1, end));
      if (weight > 0) found.push({ type: "hidden_text", rule: "style", weight, start: at, end });
      next = end;
    }
    at = text.indexOf("<", next);
  }
  return found;
}

function isUnseen(tag: string): boolean {
  if (/\shidden(?:[\s=>/]|$)/.test(tag)) return true;
  if (!tag.includes("style")) return false;
  const bare = tag.replaceAll(/\s/g, "");
  return unseen.some((way) => bare.includes(way));
}

/**
 * Returns the weight of hidden text: low by itself, because many pages hide text, and high if it contains instructions.
 */
function weightOf(hidden: string): number {
  if (scoreOf(instructionsIn(hidden)) >= 0.35) return 0.9;
  return (hidden.match(/\p{L}/gu)?.length ?? 0) >= leastLetters ? 0.15 : 0;
}
