import parse, {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  isValidPhoneNumber,
  Metadata,
} from "libphonenumber-js/core";
import metadata from "libphonenumber-js/metadata.min.json";

/** Country calling codes (ITU-T E.164), each with how long its national numbers are: bit n for n digits. */
let plans: ReadonlyMap<string, number> | undefined;

/** E.164: fifteen digits in all, three of them the code; shorter than this no global service numbers. */
const global = [7, 8, 9, 10, 11, 12];

function compilePlans(): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const add = (code: string, lengths: readonly number[]): void => {
    known.set(
      code,
      lengths.reduce((set, length) => set | (1 << length), known.get(code) ?? 0),
    );
  };
  const reader = new Metadata(metadata);
  for (const country of getCountries(metadata)) {
    reader.selectNumberingPlan(country);
    add(getCountryCallingCode(country, metadata), reader.numberingPlan?.possibleLengths() ?? []);
  }
  for (const code of Object.keys(metadata.nonGeographic)) add(code, global);
  return known;
}

/** A number's country calling code. */
export interface CallingCode {
  readonly digits: number;
  /** Lengths of national numbers: bit n for n digits. */
  readonly lengths: number;
}

/** The calling code that a number begins with: no code begins with another one. */
export function callingCode(number: string): CallingCode | undefined {
  plans ??= compilePlans();
  for (let digits = 1; digits <= 3; digits++) {
    const lengths = plans.get(number.slice(0, digits));
    if (lengths !== undefined) return { digits, lengths };
  }
  return undefined;
}

export type { CountryCode };

/**
 * Returns a number in the form of E.164, with its extension, if its country is known by its calling code or if it is
 * valid in one of the regions. Otherwise returns its digits.
 */
export function inE164(value: string, regions: readonly CountryCode[]): string {
  const abroad = value.replace(/^\D*00(?=[1-9])/, "+");
  const number = abroad.includes("+")
    ? parse(abroad, { extract: false }, metadata)
    : regions
        .map((defaultCountry) => parse(value, { defaultCountry, extract: false }, metadata))
        .find((one) => one?.isValid());
  if (number === undefined) return value.replaceAll(/\D/g, "");
  return number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`;
}

/** Returns true if a number that begins with its calling code exists in the plan of a country. */
export const exists = (number: string): boolean => isValidPhoneNumber(`+${number}`, metadata);

/** Returns true if a number, written as at home in one of the countries, exists in its numbering plan. */
export const isNational = (number: string, regions: readonly CountryCode[]): boolean =>
  regions.some((region) => isValidPhoneNumber(number, region, metadata));

/** The countries of ISO 3166-1 by their codes. Throws `RangeError` with the first that is unknown. */
export function countries(codes: readonly string[]): readonly CountryCode[] {
  return codes.map((code) => {
    if (!isCountry(code)) throw new RangeError(code);
    return code;
  });
}

/** Returns true if it is a code of ISO 3166-1 (alpha-2). */
export const isCountry = (code: string): code is CountryCode =>
  typeof code === "string" && isSupportedCountry(code as CountryCode, metadata);
