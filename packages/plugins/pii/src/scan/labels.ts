/** The maximum distance of a context word before a match, in units. */
export const contextWindow = 64;

/** The label of a word for the value after it: a built-in type, or something else. */
export type Label = "phone" | "us_ssn" | "iban" | "credit_card" | "crypto" | "url" | "ip" | "mac" | "id" | "other";

/**
 * Context words in the languages that are met most, in lower case. Only words that hardly stand before anything else:
 * the nearest one before a value decides.
 */
const vocabulary: Readonly<Record<Label, string>> = {
  phone: `phone phones telephone telephones tel telno mobile mobiles cell cellphone cellular fax telefax call called
    calling dial dialed sms whatsapp contact contacts reach reachable hotline helpline landline voicemail answering ph
    telefon telefonnummer telefonnr rufnummer handy handynummer mobil mobilnummer mobiltelefon festnetz anruf anrufen
    durchwahl erreichbar téléphone tél appeler appelez joindre teléfono telefono teléfonos móvil movil celular
    llamar llame telefone telemóvel telemovel contacto contato ligar cellulare chiamare telefoon telefoonnummer mobiel
    bellen telefonu komórka telefonszám puhelin puhelinnumero telepon thoại
    телефон телефона телефону тел моб мобильный звоните позвоните τηλέφωνο τηλ κινητό
    هاتف الهاتف جوال موبايل تلفون تلفن موبایل טלפון נייד फोन फ़ोन मोबाइल टेलीफोन
    电话 電話 手机 手機 携帯 座机 致电 拨打 联系 传真 전화 휴대폰 핸드폰 연락처 โทร มือถือ`,
  us_ssn: "ssn ssns social itin tin tax taxpayer seguro",
  iban: "iban ibans",
  credit_card: `pan card cards credit debit visa mastercard maestro amex cc kreditkarte kreditkartennummer carte tarjeta
    cartão cartao 信用卡 卡号 カード 카드`,
  crypto: "wallet wallets bitcoin btc ethereum eth solana sol crypto cryptocurrency usdt usdc 钱包 ウォレット 지갑",
  url: `url urls website websites site sites webpage homepage web visit visiting link links domain domains browse
    webseite besuchen sitio sito página visitez сайт ссылка 网址 网站 官网 访问 链接 网页 サイト 사이트 홈페이지`,
  ip: "ip ips ipv addr address host hosts hostname server gateway dns subnet netmask ping 地址",
  mac: "mac bssid ethernet hwaddr hardware eui",
  id: `identifier uuid guid trace span request requests req block blk session snowflake message msg event process pid
    uid gid tid commit revision timestamp barcode object node thread correlation`,
  other: `version versions order orders invoice invoices ticket account accounts acct reference ref refs serial sku isbn issn
    doi pmid zip zipcode postal postcode tracking shipment transaction txn policy contract customer member employee
    passport license licence vin imei iccid imsi routing swift bic cvv cvc otp amount price balance bytes
    rfc ean upc gtin npi mrn
    bsn nif nie dni nss nino nhs cpf cnpj curp aadhaar fiscale sozialversicherungsnummer steuernummer
    kontonummer kundennummer bestellnummer rechnung rechnungsnummer commande facture pedido factura ordine fattura
    заказ счёт счет 订单 账号 身份证 注文 주문`,
};

/** Words of sentences: they label the first number after them, and no later one. */
export const verbs: ReadonlySet<string> = new Set(
  `call called calling dial dialed contact contacts reach reachable anruf anrufen erreichbar appeler appelez joindre llamar
  llame contacto contato ligar chiamare bellen visit visiting visitez browse besuchen`.split(/\s+/),
);

/**
 * Words that need the word before them, which names the type of the value (`phone number`, `Tel. (work):`).
 */
export const fillers: ReadonlySet<string> = new Set(
  `number numbers num no nr nummer numero número numéro value str string text field input raw e office desk work home private
    privat main primary secondary second first new old other alternative alternate alt backup business personal is are
    ist was es est and or und oder et y at on under unter the a my our your me us mein unser us x n r t`.split(/\s+/),
);

const entries = Object.entries(vocabulary).flatMap(([label, list]) =>
  list.split(/\s+/).map((word) => [word, label as Label] as const),
);

/** Scripts that put no space between words. */
const isGlued = (word: string): boolean => word.charCodeAt(0) >= 0xe00;

/** Words that stand between spaces or marks. */
export const words: ReadonlyMap<string, Label> = new Map(entries.filter(([word]) => !isGlued(word)));

/** The lengths of all known words in ASCII, by their first and last letters: bit n for n letters. */
const shapes = new Uint32Array(1024);
const shapeOf = (first: number, last: number): number => ((first & 31) << 5) | (last & 31);
for (const word of [...words.keys(), ...fillers, "id", "ids"]) {
  const shape = shapeOf(word.charCodeAt(0), word.charCodeAt(word.length - 1));
  shapes[shape] = (shapes[shape] ?? 0) | (1 << word.length);
}

/** Returns true if a word, in any case, may be one of `words` or `fillers`. Rules out most words without a copy. */
export function mayBeKnown(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(end - 1);
  return first > 127 || last > 127 || (((shapes[shapeOf(first, last)] ?? 0) >>> (end - start)) & 1) === 1;
}

/** Words of scripts without spaces. */
export const glued: readonly (readonly [string, Label])[] = entries.filter(([word]) => isGlued(word));
