import { RE2JS } from "re2js";

/** General categories (UAX #44): JavaScript takes their long names too, RE2 only the short ones. */
const categories: Readonly<Record<string, string>> = {
  Letter: "L",
  Uppercase_Letter: "Lu",
  Lowercase_Letter: "Ll",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Nonspacing_Mark: "Mn",
  Spacing_Mark: "Mc",
  Enclosing_Mark: "Me",
  Number: "N",
  Decimal_Number: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  Connector_Punctuation: "Pc",
  Dash_Punctuation: "Pd",
  Open_Punctuation: "Ps",
  Close_Punctuation: "Pe",
  Initial_Punctuation: "Pi",
  Final_Punctuation: "Pf",
  Other_Punctuation: "Po",
  Symbol: "S",
  Math_Symbol: "Sm",
  Currency_Symbol: "Sc",
  Modifier_Symbol: "Sk",
  Other_Symbol: "So",
  Separator: "Z",
  Space_Separator: "Zs",
  Line_Separator: "Zl",
  Paragraph_Separator: "Zp",
  Other: "C",
  Control: "Cc",
  Format: "Cf",
  Private_Use: "Co",
};
const shortNames = new Set([...Object.values(categories), "Any"]);

const escaped = /\\(?:([pP])\{(\^?)([^}]*)\}|[\s\S])/g;

/**
 * A JavaScript pattern as RE2 reads it. Both engines get the same, since what each makes of JavaScript's syntax by itself
 * differs. Throws for what one of them would refuse, or take for something else.
 */
export function toRe2(source: string): string {
  const common = source.replaceAll(escaped, (whole, letter: string | undefined, not: string, name: string) => {
    if (whole === "\\k") throw new Error("invalid escape sequence: `\\k`");
    return letter === undefined ? whole : `\\${letter}{${not}${classOf(name)}}`;
  });
  return RE2JS.translateRegExp(common);
}

/** RE2 has categories and scripts, and no other property. */
function classOf(name: string): string {
  const category = name.replace(/^(?:General_Category|gc)=/, "");
  if (Object.hasOwn(categories, category)) return categories[category] ?? category;
  if (shortNames.has(category)) return category;
  const script = name.replace(/^(?:Script|sc)=/, "");
  if (isScript(script)) return script;
  throw new Error(`invalid character class range: \`\\p{${name}}\``);
}

function isScript(name: string): boolean {
  try {
    return /^\w+$/.test(name) && new RegExp(`\\p{Script=${name}}`, "u").unicode;
  } catch {
    return false;
  }
}
