const longestDescription = 2000;

/** Characters that nobody sees: those of control, but tab and newline, and those of format. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A server's text about a tool: what a person would not see is taken out, and it is not for ever. */
export const toolText = (text: string): string => text.slice(0, longestDescription).replaceAll(unseen, "");

/** A name that every provider takes, and that no other tool of the server has. */
export function toolName(prefix: string, name: string, taken: ReadonlySet<string>): string {
  const plain = `${prefix}${name.replaceAll(/[^\w-]/g, "_")}`.slice(0, 60);
  if (!taken.has(plain)) return plain;
  for (let number = 2; ; number++) if (!taken.has(`${plain}_${number}`)) return `${plain}_${number}`;
}
