import { identifier } from "../identifier/identifier.js";

/**
 * Driving licence numbers after a keyword: five to twenty digits and letters, at least four of them digits. Those of
 * Great Britain are also recognised by their form (DVLA).
 *
 * @example driving licence: D1234567
 * @example MORGA753116SM9IJ
 */
export const drivingLicence = identifier({
  type: "driving_licence",
  forms: [
    { pattern: /(?=[A-Z]{1,5}9{0,4}\d)[A-Z9]{5}\d[0156]\d[0-3]\d\d[A-Z][A-Z9][0-9A-Z]{3}/, score: 0.7 },
    { pattern: /[0-9A-Z](?:-?[0-9A-Z]){4,19}/, score: 0.15 },
  ],
  words: [
    ...["driving licence", "driving license", "driver licence", "driver license", "drivers licence", "drivers license"],
    ...[
      "driver's licence",
      "driver's license",
      "licence no",
      "license no",
      "licence number",
      "license number",
      "dl no",
      "dl number",
    ],
    ...[
      "dvla",
      "führerschein",
      "führerscheinnummer",
      "permis de conduire",
      "permiso de conducir",
      "carnet de conducir",
      "patente",
    ],
    ...["cnh", "carteira de motorista", "rijbewijs", "驾驶证", "運転免許"],
  ],
  check: (number) => /(?:\d[A-Z]*){4}/.test(number),
});
