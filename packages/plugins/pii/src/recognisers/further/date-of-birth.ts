import { isDay } from "../identifier/check-digits.js";
import { identifier } from "../identifier/identifier.js";

const digits = "0123456789";
const letters = "abcdefghijklmnopqrstuvwxyz";
const months =
  `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
  oct nov dec januar februar märz mai juni juli oktober dezember okt dez janvier février mars avril juin juillet août
  septembre octobre novembre décembre gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre
  dicembre januari februari maart mei augustus enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro`.split(/\s+/);
// Longer ones first: `march` before `mar`.
const names = [...months].sort((a, b) => b.length - a.length).join("|");
const month = new RegExp(`(?<![a-z])(?:${names})\\.? $`, "i");
const endsMonthOrDay = new RegExp(`(?:${names})\\.?,?$|\\d(?:st|nd|rd|th)?,$`, "i");
const endsDay = /(?:^|\D)\d{1,2}(?:st|nd|rd|th|er|\.)?$/;
const longestMonth = 12;
/** `22 de`, `22 de marzo`, `22 de marzo de`: the words between the numbers of a day in Spanish and Portuguese. */
const endsDe = /(?:^|\D)\d{1,2} de$/i;
const endsMonthOfDay = new RegExp(`(?:^|\\D)\\d{1,2} de (?:${names})$`, "i");
const endsSecondDe = new RegExp(`(?:${names}) de$`, "i");

/**
 * Dates of birth after a keyword: a valid date, in digits in the order of any country, or with the month's name in
 * English, German, French, Italian, Dutch, Spanish or Portuguese.
 *
 * @example born: 1985-03-12
 * @example Geburtsdatum: 12. März 1985
 */
export const dateOfBirth = identifier({
  type: "date_of_birth",
  forms: [
    { pattern: /\d{4}([./-])\d{1,2}\1\d{1,2}/, score: 0.15 },
    { pattern: /\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)/, score: 0.15 },
    { pattern: new RegExp(`\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:${names})\\.?,? \\d{4}`, "i"), score: 0.15 },
    { pattern: new RegExp(`\\d{1,2} de (?:${names}) de \\d{4}`, "i"), score: 0.15 },
    // `BDAY:19800322` of vCard (RFC 6350).
    { pattern: /(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/, score: 0.15 },
    { pattern: new RegExp(`(?:${names})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`, "i"), score: 0.15, lead: month },
  ],
  words: [
    ...[
      "born",
      "born on",
      "dob",
      "d o b",
      "bday",
      "date of birth",
      "birth date",
      "birthdate",
      "birthday",
      "geboren",
      "geb",
    ],
    ...[
      "geburtsdatum",
      "geburtstag",
      "né",
      "née",
      "né le",
      "née le",
      "date de naissance",
      "nacido",
      "nacida",
      "nacimiento",
      "nascido",
      "nascida",
    ],
    ...["nascimento", "nato", "nata", "nascita", "geboortedatum", "urodzenia", "дата рождения", "родился", "родилась"],
    ...["出生", "生日", "生年月日", "생년월일", "जन्म"],
  ],
  joins: [
    {
      before: `${letters}${letters.toUpperCase()}.,`,
      after: digits,
      inside: (text, index) => endsMonthOrDay.test(text.slice(Math.max(0, index - longestMonth), index)),
    },
    {
      before: `${digits}${letters}.`,
      after: letters + letters.toUpperCase(),
      inside: (text, index) =>
        endsDay.test(text.slice(Math.max(0, index - 5), index)) &&
        (beginsMonth(text.slice(index + 1, index + 6)) || beginsDe(text, index + 1)),
    },
    {
      before: "eE",
      after: digits + letters + letters.toUpperCase(),
      inside: (text, index) =>
        (endsDe.test(text.slice(Math.max(0, index - 6), index)) && beginsMonth(text.slice(index + 1, index + 6))) ||
        endsSecondDe.test(text.slice(Math.max(0, index - longestMonth - 3), index)),
    },
    {
      before: letters + letters.toUpperCase(),
      after: "dD",
      inside: (text, index) =>
        beginsDe(text, index + 1) && endsMonthOfDay.test(text.slice(Math.max(0, index - longestMonth - 8), index)),
    },
  ],
  check: (_, date) => isSomeDay(date),
  // A date has no other spelling that is sure: 4/5 is a day in April, and one in May.
  spelling: (date) => date,
  mask: () => "****-**-**",
});

/** Returns true if a month's name may begin with these letters. */
function beginsMonth(text: string): boolean {
  const lower = text.toLowerCase();
  return months.some((name) => name.startsWith(lower) || lower.startsWith(name.slice(0, 5)));
}

/** Returns `true` if the word `de` stands at `at`, as far as the text is known. */
const beginsDe = (text: string, at: number): boolean => {
  const word = text.slice(at, at + 3).toLowerCase();
  return "de ".startsWith(word);
};

function isSomeDay(date: string): boolean {
  if (/^\d{8}$/.test(date)) return isDay(Number(date.slice(0, 4)), Number(date.slice(4, 6)), Number(date.slice(6)));
  const [first = 0, second = 0, third = 0, ...none] = date.match(/\d+/g)?.map(Number) ?? [];
  if (none.length > 0) return false;
  if (third === 0 && /\p{L}{3}/u.test(date)) return first <= 31 && isYear(second);
  if (first > 31) return isYear(first) && isDay(first, second, third);
  return isYear(third) && (isDay(third, second, first) || isDay(third, first, second));
}

const isYear = (year: number): boolean => year < 100 || (year >= 1900 && year < 2100);
