import { creditCard } from "./credit-card.js";
import { crypto } from "./crypto/crypto.js";
import { email } from "./email.js";
import { iban } from "./iban.js";
import { ip } from "./ip.js";
import { mac } from "./mac.js";
import { phone } from "./phone/phone.js";
import type { Recogniser } from "./recogniser.js";
import { secret } from "./secret/secret.js";
import { url } from "./url/url.js";
import { usSsn } from "./us-ssn.js";

/** Every built-in recogniser. Where two matches are equally good, the earlier one here wins. */
export const recognisers = [
  email,
  creditCard,
  ip,
  mac,
  url,
  phone,
  usSsn,
  iban,
  crypto,
  secret,
] as const satisfies readonly Recogniser[];

/** The built-in types, and a second name of one of them. */
export type BuiltInType = (typeof recognisers)[number]["type"] | keyof typeof aliases;

/** Second names of types. */
export const aliases = { mac_address: "mac" } as const;

const byType: ReadonlyMap<string, Recogniser> = new Map([
  ...recognisers.map((recogniser) => [recogniser.type, recogniser] as const),
  ...Object.entries(aliases).map(
    ([alias, type]) => [alias, recognisers.find((one) => one.type === type) ?? mac] as const,
  ),
]);

/** The built-in recogniser of a type or of its second name. */
export const recogniserOf = (type: string): Recogniser | undefined => byType.get(type);

/** The types that `detect()` and the command look for unless others are named: what is personal in every country. */
export const defaultTypes: readonly string[] = recognisers.map(({ type }) => type);

/** All names that `recogniserOf` knows. */
export const builtInTypes: readonly string[] = [...byType.keys()];
