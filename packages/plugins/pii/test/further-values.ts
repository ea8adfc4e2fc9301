import luhnCheck from "luhn";
import { seeded } from "./draw.js";

/** Values of one type that is looked for by choice, from its authority's documents or made by its published rule. */
export interface FurtherValues {
  /** The label that stands before a value where a word has to say what it is. */
  readonly label: string;
  /** Found with nothing before them. */
  readonly alone: readonly string[];
  /** Found behind the label, and not without it. */
  readonly labelled: readonly string[];
  /** Values that are not found, behind the label either: a wrong check digit, a region or a day that there is not. */
  readonly wrong: readonly string[];
}

const random = seeded(13);
const below = (count: number): number => Math.floor(random() * count);
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join("");
const of = (items: string | readonly string[]): string => items[below(items.length)] ?? "";

/** The sum of digits times weights. */
const sum = (text: string, weights: readonly number[]): number =>
  [...text].reduce((total, digit, at) => total + Number(digit) * (weights[at] ?? 0), 0);

/** Ten values that some rule makes. Bodies for which there is no check digit are drawn anew. */
function ten(make: () => string | undefined): readonly string[] {
  const made: string[] = [];
  while (made.length < 10) made.push(...[make() ?? []].flat());
  return made;
}

const grouped = (text: string, sizes: readonly number[], mark = " "): string => {
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((all, size) => all + size, 0));
  return ends.map((end, index) => text.slice(end - (sizes[index] ?? 0), end)).join(mark);
};

/** The value with another last digit. */
const off = (value: string): string => value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

const withLuhn = (body: string): string =>
  [..."0123456789"].map((check) => body + check).find((all) => luhnCheck.validate(all)) ?? "";

/** The tables of Verhoeff's thesis. */
const d = [
  ..."0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210",
].map(Number);
const p = [..."01234567891576283094580379614289160435279453126870428657390127938064157046913258"].map(Number);
const withVerhoeff = (body: string): string => {
  const check = (text: string): number =>
    [...text].reverse().reduce((c, digit, at) => d[c * 10 + (p[(at % 8) * 10 + Number(digit)] ?? 0)] ?? 0, 0);
  return [..."0123456789"].map((last) => body + last).find((all) => check(all) === 0) ?? "";
};

function resident(): string {
  const born = new Date(Date.UTC(1950 + below(60), below(12), 1 + below(28))).toISOString().slice(0, 10);
  const body = `${of(["11", "31", "44", "51"])}${digits(4)}${born.replaceAll("-", "")}${digits(3)}`;
  // The weights of GB 11643.
  const rest = sum(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11;
  return body + "10X98765432".charAt(rest);
}

function cpf(): string {
  const body = `${1 + below(9)}${digits(8)}`;
  const check = (text: string): number => {
    const rest = sum(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].slice(10 - text.length)) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const first = body + check(body);
  return first + check(first);
}

function nhs(): string | undefined {
  const body = `4${digits(8)}`;
  const check = 11 - (sum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return check === 10 ? undefined : body + (check === 11 ? 0 : check);
}

function nir(): string {
  const month = String(1 + below(12)).padStart(2, "0");
  const body = `${of("12")}${digits(2)}${month}${of(["75", "13", "2A", "2B"])}${digits(6)}`;
  const key = 97n - (BigInt(body.replace("2A", "19").replace("2B", "18")) % 97n);
  return body + String(key).padStart(2, "0");
}

function dni(): string {
  const number = digits(8);
  return number + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(number) % 23);
}

function myNumber(): string {
  const body = `1${digits(10)}`;
  // 総務省令: Pn from the right, Qn = n + 1 up to the sixth, n - 5 from there.
  const total = [...body].reverse().reduce((all, digit, at) => all + Number(digit) * (at < 6 ? at + 2 : at - 4), 0);
  return body + (total % 11 <= 1 ? 0 : 11 - (total % 11));
}

const tfn = (): string | undefined => {
  const all = `1${digits(8)}`;
  return sum(all, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 ? all : undefined;
};

const routing = (): string => {
  const body = `0${1 + below(9)}${digits(6)}`;
  return body + ((10 - (sum(body, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10);
};

const aadhaars = ten(() => withVerhoeff(`${2 + below(8)}${digits(10)}`));
const residents = ten(resident);
const cpfs = ten(cpf);
const nhsNumbers = ten(nhs);
const nirs = ten(nir);
const dnis = ten(dni);
const myNumbers = ten(myNumber);
const sins = ten(() => withLuhn(`${1 + below(7)}${digits(7)}`));
const tfns = ten(tfn);
const imeis = ten(() => withLuhn(`35${digits(12)}`));
const routings = ten(routing);
const taxIds = ["86095742719", "47036892816", "65929970489", "57549285017", "25768131411"];
const codes = ["RSSMRA85T10A562S", "MRTMTT25D09F205Z", "VRDGPP13R10B293P", "RSSMRA85T10A56NH"];

export const furtherValues: Readonly<Record<string, FurtherValues>> = {
  in_aadhaar: {
    label: "Aadhaar no.: ",
    alone: aadhaars.map((value) => grouped(value, [4, 4, 4])),
    labelled: aadhaars,
    wrong: [...aadhaars.map(off), ...aadhaars.map((value) => off(grouped(value, [4, 4, 4]))), "1234 5678 9012"],
  },
  in_pan: { label: "PAN ", alone: ["ABCPE1234F", "AAACB2894G"], labelled: [], wrong: ["ABCXE1234F", "ABCPE12345"] },
  cn_resident_id: {
    label: "身份证号码：",
    alone: ["11010519491231002X", "440524188001010014", ...residents],
    labelled: [],
    wrong: [
      "110105194912310021",
      "11010519490231002X",
      "99010519491231002X",
      ...residents.map((id) => `${id.slice(0, -1)}${id.endsWith("0") ? 1 : 0}`),
    ],
  },
  br_cpf: {
    label: "CPF: ",
    alone: ["529.982.247-25", ...cpfs.map((value) => value.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4"))],
    labelled: cpfs,
    wrong: [...cpfs.map(off), "529.982.247-26", "111.111.111-11"],
  },
  br_cnpj: {
    label: "CNPJ nº ",
    alone: ["11.222.333/0001-81", "12.ABC.345/01DE-35"],
    labelled: ["11222333000181", "12ABC34501DE35"],
    wrong: ["11.222.333/0001-82", "12ABC34501DE36", "00.000.000/0000-00"],
  },
  uk_nino: {
    label: "NI number ",
    alone: ["AB 12 34 56 C", "AB123456C", "JG 10 37 59 A"],
    labelled: [],
    wrong: ["QQ123456C", "AB123456E", "GB123456A", "AO123456A", "AB12345C"],
  },
  uk_nhs: {
    label: "NHS number ",
    alone: ["943 476 5919", "401 023 2137", ...nhsNumbers.map((value) => grouped(value, [3, 3, 4]))],
    labelled: ["9434765919", "943-476-5919", ...nhsNumbers],
    wrong: ["943 476 5918", "9434765918", ...nhsNumbers.map(off)],
  },
  de_tax_id: {
    label: "Steuer-ID: ",
    alone: [...taxIds, "86 095 742 719"],
    labelled: [],
    wrong: [...taxIds.map(off), "12345678903", "06095742719"],
  },
  fr_nir: {
    label: "NIR ",
    alone: [
      "2 55 08 14 168 025 38",
      "255081416802538",
      ...nirs,
      ...nirs.map((id) => grouped(id, [1, 2, 2, 2, 3, 3, 2])),
    ],
    labelled: [],
    wrong: ["255081416802539", "955081416802538", "2 55 13 14 168 025 38", ...nirs.map(off)],
  },
  es_nif: {
    label: "DNI ",
    alone: ["12345678Z", "12345678-Z", "X1234567L", "X-1234567-L", "00000000 T", ...dnis],
    labelled: ["12345678z"],
    wrong: ["12345678A", "X1234567A", ...dnis.map((value) => off(value))],
  },
  it_codice_fiscale: {
    label: "codice fiscale ",
    alone: [...codes.slice(0, 3), "rssmra85t10a562s"],
    labelled: [],
    wrong: ["RSSMRA85T10A562T", "RSSMRA85Z10A562S", "RSSMRA85T10A562"],
  },
  jp_my_number: {
    label: "マイナンバー: ",
    alone: myNumbers.map((value) => grouped(value, [4, 4, 4])),
    labelled: myNumbers,
    wrong: [...myNumbers.map(off), "1111 1111 1111"],
  },
  ca_sin: {
    label: "SIN: ",
    alone: sins.flatMap((value) => [grouped(value, [3, 3, 3]), grouped(value, [3, 3, 3], "-")]),
    labelled: sins,
    wrong: [...sins.map(off), "046 454 286", "130 692 545"],
  },
  au_tfn: {
    label: "TFN ",
    alone: ["123 456 782", ...tfns.map((value) => grouped(value, [3, 3, 3]))],
    labelled: tfns,
    wrong: [...tfns.map(off), "123 456 789"],
  },
  passport: {
    label: "Passport No. ",
    alone: [],
    labelled: ["X1234567", "123456789", "C01X00T47", "AB1234567"],
    wrong: ["DOCUMENT", "12345", "1234567890"],
  },
  driving_licence: {
    label: "driver's license ",
    alone: ["MORGA753116SM9IJ"],
    labelled: ["D1234567", "F255-921-50-094-0", "12345678901"],
    wrong: ["SUSPENDED", "1234"],
  },
  us_routing: {
    label: "routing number ",
    alone: [],
    labelled: ["021000021", ...routings],
    wrong: ["021000022", "991000021"],
  },
  bic: {
    label: "SWIFT/BIC: ",
    alone: [],
    labelled: ["DEUTDEFF", "DEUTDEFF500", "NEDSZAJJXXX", "CHASUS33"],
    wrong: ["DEUTQQFF", "DEUTDEFF50", "DOCUMENTS"],
  },
  vin: {
    label: "chassis number ",
    alone: ["1M8GDM9AXKP042788", "5GZCZ43D13S812715", "1HGCM82633A004352"],
    labelled: ["WVWZZZ1JZXW000001", "1M8GDM9A1KP042788"],
    wrong: ["1M8GDM9AXKP04278O", "11111111111111111", "12345678901234567"],
  },
  imei: {
    label: "IMEI ",
    alone: ["49-015420-323751-8", ...imeis.map((value) => grouped(value, [2, 6, 6, 1], "-"))],
    labelled: ["490154203237518", ...imeis],
    wrong: ["490154203237519", ...imeis.map(off)],
  },
  date_of_birth: {
    label: "Date of birth: ",
    alone: [],
    labelled: [
      "1985-03-12",
      "12.03.1985",
      "3/12/85",
      "12 March 1985",
      "12th March 1985",
      "March 12, 1985",
      "Mar. 12 1985",
      "12. März 1985",
      "12 août 1985",
      "1er mai 1985",
      "12 de marzo de 1985",
      "12 de março de 1985",
      "19850312",
    ],
    wrong: [
      "1985-13-40",
      "31/31/1985",
      "32 March 1985",
      "12 Marches 1985",
      "12 March 3985",
      "19851340",
      "12 de marches de 1985",
    ],
  },
  cvv: { label: "CVC2: ", alone: [], labelled: ["123", "1234"], wrong: ["12", "12345", "1.23"] },
  card_expiry: {
    label: "valid thru ",
    alone: [],
    labelled: ["09/27", "09/2027", "09-27"],
    wrong: ["13/27", "00/27", "9/9"],
  },
};
