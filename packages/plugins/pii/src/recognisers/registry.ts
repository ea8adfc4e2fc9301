import type { Recogniser } from "../scan/recogniser.js";
import { creditCard } from "./credit-card.js";
import { crypto } from "./crypto/crypto.js";
import { email } from "./email.js";
import { auTfn } from "./further/au-tfn.js";
import { bic } from "./further/bic.js";
import { brCnpj } from "./further/br-cnpj.js";
import { brCpf } from "./further/br-cpf.js";
import { caSin } from "./further/ca-sin.js";
import { cardExpiry } from "./further/card-expiry.js";
import { cnResidentId } from "./further/cn-resident-id.js";
import { cvv } from "./further/cvv.js";
import { dateOfBirth } from "./further/date-of-birth.js";
import { deTaxId } from "./further/de-tax-id.js";
import { drivingLicence } from "./further/driving-licence.js";
import { esNif } from "./further/es-nif.js";
import { frNir } from "./further/fr-nir.js";
import { imei } from "./further/imei.js";
import { inAadhaar } from "./further/in-aadhaar.js";
import { inPan } from "./further/in-pan.js";
import { itCodiceFiscale } from "./further/it-codice-fiscale.js";
import { jpMyNumber } from "./further/jp-my-number.js";
import { passport } from "./further/passport.js";
import { ukNhs } from "./further/uk-nhs.js";
import { ukNino } from "./further/uk-nino.js";
import { usRouting } from "./further/us-routing.js";
import { vin } from "./further/vin.js";
import { iban } from "./iban.js";
import { ip } from "./ip.js";
import { mac } from "./mac.js";
import { phone } from "./phone/phone.js";
import { secret } from "./secret/secret.js";
import { url } from "./url/url.js";
import { usSsn } from "./us-ssn.js";

/**
 * Every recogniser that is used unless types are named. Where two matches are equally good, the earlier one here wins.
 */
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

/** Recognisers that run only if a rule names their type. They cost nothing otherwise. */
export const furtherRecognisers = [
  auTfn,
  bic,
  brCnpj,
  brCpf,
  caSin,
  cardExpiry,
  cnResidentId,
  cvv,
  dateOfBirth,
  deTaxId,
  drivingLicence,
  esNif,
  frNir,
  imei,
  inAadhaar,
  inPan,
  itCodiceFiscale,
  jpMyNumber,
  passport,
  ukNhs,
  ukNino,
  usRouting,
  vin,
] as const satisfies readonly Recogniser[];

/** The built-in types, and a second name of one of them. */
export type BuiltInType = (typeof recognisers | typeof furtherRecognisers)[number]["type"] | keyof typeof aliases;

/** Second names of types. */
export const aliases = { mac_address: "mac" } as const;

const byType: ReadonlyMap<string, Recogniser> = new Map([
  ...[...recognisers, ...furtherRecognisers].map((recogniser) => [recogniser.type, recogniser] as const),
  ...Object.entries(aliases).map(
    ([alias, type]) => [alias, recognisers.find((one) => one.type === type) ?? mac] as const,
  ),
]);

/** The built-in recogniser of a type or of its second name. */
export const recogniserOf = (type: string): Recogniser | undefined => byType.get(type);

/** The types that `detect()` and the command use by default: those that are personal data in every country. */
export const defaultTypes: readonly string[] = recognisers.map(({ type }) => type);

/** The types that are used only if they are named. */
export const furtherTypes: readonly string[] = furtherRecognisers.map(({ type }) => type);

/** All names that `recogniserOf` knows. */
export const builtInTypes: readonly string[] = [...byType.keys()];
