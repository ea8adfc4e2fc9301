/** The places of the planted values. */
export const places = [
  "prompt",
  "answer",
  "tool argument",
  "tool result",
  "error message",
  "span of other code",
] as const;

/** The name of a place. */
export type Place = (typeof places)[number];

/**
 * The planted values, by the types of @suite/pii: examples from standards and from payment networks' test pages, which
 * belong to no person. Each place has a different value, so that a value that arrives identifies its place.
 */
const planted: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  email: places.map((place) => `canary.${place.replaceAll(" ", ".")}@mail.example.org`),
  credit_card: [
    "4111 1111 1111 1111",
    "5555 5555 5555 4444",
    "6011 1111 1111 1117",
    "3530 1113 3330 0000",
    "4242 4242 4242 4242",
    "5105 1051 0510 5100",
  ],
  iban: [
    "GB33BUKB20201555555555",
    "DE89370400440532013000",
    "FR1420041010050500013M02606",
    "NL91ABNA0417164300",
    "ES9121000418450200051332",
    "BE68539007547034",
  ],
  phone: places.map((_, index) => `+44 20 7946 095${index}`),
  ip: places.map((_, index) => `203.0.113.7${index}`),
};

export const types: readonly string[] = Object.keys(planted);

/** Returns the planted value of a type in a place. */
export const plantedIn = (type: string, place: Place): string => planted[type]?.[places.indexOf(place)] ?? "";

/** Returns the text that is planted in a place. */
export const textFor = (place: Place): string =>
  `The doctor plants ${types.map((type) => `${type} ${plantedIn(type, place)}`).join(", ")}.`;

/** The report of the child process after its run. */
export interface Report {
  /** The types that the redactors of the set-up's plugins change; undefined if no plugin has a redactor. */
  readonly covered?: readonly string[] | undefined;
}
