/**
 * Values of one type. `hidden`: the same with characters that do not show, in other forms of their digits, or escaped.
 * `label`: the words before it, where it takes them to know the type.
 *
 * @typedef {{ type: string, label?: string, values: readonly string[], hidden: readonly string[] }} Sample
 */

/** At least one for each built-in type. @type {readonly Sample[]} */
export const samples = [
  {
    type: "email",
    values: ["jane.doe@example.com", "jürgen@müller.de"],
    hidden: [
      "ja\u200bne@x\u00ad.com",
      "jane%40x.com",
      "jane\\u0040x.com",
      "jane&#64;x.com",
      "jane@x。com",
      "ｊａｎｅ＠ｘ．ｃｏｍ",
    ],
  },
  {
    type: "credit_card",
    values: ["4111 1111 1111 1111", "4111-1111-1111-1111", "5555555555554444", "3782 822463 10005"],
    hidden: ["４１１１ １１１１ １１１１ １１１１", "٤١١١١١١١١١١١١١١١", "4111\u200b1111\u200b1111\u200b1111"],
  },
  {
    type: "ip",
    values: ["192.168.0.1", "2001:db8::2", "::ffff:10.1.2.3", "fe80::1%eth0"],
    hidden: ["１９２.１６８.０.１", "192.\u200b168.0.1", "192．168．0．1", "192%2e168%2e0%2e1"],
  },
  {
    type: "mac",
    values: ["00:1A:2b:3c:4D:5e", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e"],
    hidden: ["00:1A:\u200b2b:3c:4D:5e"],
  },
  {
    type: "url",
    values: ["https://x.com/a_(b)?c=d#e", "http://[2001:db8::1]:80/x", "www.example.com"],
    hidden: ["https://x.\u200bcom/a", "https://ｘ．ｃｏｍ/a"],
  },
  {
    type: "phone",
    values: ["+1 (212) 555-0142", "+49 30 901820"],
    hidden: ["+49 30 90\u200b1820", "+٤٩ ٣٠ ٩٠١٨٢٠"],
  },
  {
    type: "us_ssn",
    label: "SSN: ",
    values: ["536-90-4399"],
    hidden: ["５３６-９０-４３９９", "536-\u200b90-4399"],
  },
  {
    type: "iban",
    values: ["GB82 WEST 1234 5698 7654 32", "GB82WEST12345698765432"],
    hidden: ["ＧＢ８２ＷＥＳＴ１２３４５６９８７６５４３２", "GB82\u200bWEST12345698765432"],
  },
  {
    type: "crypto",
    values: ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    hidden: ["1A1zP1eP5QGefi2\u200bDMPTfTL5SLmv7DivfNa"],
  },
  {
    type: "secret",
    values: [jwt(), privateKey()],
    hidden: [jwt().replace(".", ".\u200b")],
  },
];

/** A sentence with a value of it. @param {Sample} sample @param {string} value */
export const sentence = ({ label = "it is " }, value) => ({ before: label, text: `${label}${value} and so on` });

/** A JSON Web Token that nobody gave out. */
function jwt() {
  return `${["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJub2JvZHkifQ"].join(".")}.${"Zk3mQ8vT1xW6".repeat(4).slice(0, 43)}`;
}

/** A private key that opens nothing. */
function privateKey() {
  const mark = (/** @type {string} */ word) => `-----${word} PRIVATE KEY-----`;
  return [mark("BEGIN"), "MC4CAQAwBQYDK2VwBCIEIKx9".repeat(2), "Qm7tR2nZc5Lp", mark("END")].join("\n");
}
