/**
 * The kind of value according to its name. `strong`: a password that looks like one. `basic`: user and password in
 * base64 (RFC 7617). `cipher`: the name is `key` alone, so that the value counts only if it looks like a cipher's key.
 */
export type Kind = "password" | "strong" | "key" | "cipher" | "basic";

const listed = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const passwords =
  /^(?:.*(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|wachtwoord|lösenord|lösenordet|adgangskode|adgangskoden|passord|passordet|salasana|jelszó|jelszo)|(?:db|user|my|root|admin|smtp|ftp|mail|store|key|ssh|ldap|http|proxy|auth|become|sudo|su)?pass|pw|senha|contraseña|contrasenya|passe|hasło|haslo|heslo|parola|lozinka|şifre|sifre)$/;
const keys =
  /^(?:.*(?:secrets?|token|apikeys?|credentials?)|creds?|auth|authorization|jwt|bearer|pat|sig|密钥|密鑰|令牌|トークン|токен)$/;
const chosen = listed("client app application consumer shared session jwt cookie webhook hmac signing");
const anyKey = /^(.*)keys?$/;

/** Words for other kinds of tokens: parts of text, pagination, request identity. */
const otherTokens = listed(
  `next page pagination continuation cancel cancellation max min num total prompt completion input output special pad eos
   bos unk mask cls sep start end stop design change request idempotency update lock`,
);
/** Keys that are meant to be seen, or open nothing. */
const otherKeys = listed(
  `public pub publishable s3 gpg pgp primary foreign sort partition cache row hash group object map dict lookup index unique
   composite natural arrow escape tab enter shift ctrl control meta alt translation message label locale bucket query
   search schema sequence config any idempotency dedup deduplication react item node data json field column parent child
   recv verify document pinnedpub menu hot short mon tur don whis hoc host site`,
);
/** Words after the name proper: types, environments, filler. */
const filler = listed(
  `string str text char chars value val var const let final static prod production live test testing dev
   development staging sandbox env base raw plain base64 b64 hex encoded is was are the a for in to of my our your here
   header param option ist lautet est este es é è jest je är er on`,
);

/** Words before `key` that do not specify the key. */
const determiners = listed(
  "export readonly declare def set get new old with and or by on use using this that self each some same first last",
);

/** Returns the kind of value for a name of these words. The last word that is not a filler decides. */
export function kindOf(words: readonly string[]): Kind | undefined {
  let last = words.length - 1;
  while (last >= 0 && isFiller(words[last] ?? "")) last--;
  const word = (words[last] ?? "").toLowerCase().replace(/\d+$/, "");
  const before = (words[last - 1] ?? "").toLowerCase();
  if (passwords.test(word)) return "password";
  // A person chooses the secret of a client, an application or a session.
  if (word === "secret" && chosen.has(before)) return "password";
  if (keys.test(word)) return otherTokens.has(before) ? undefined : "key";
  const key = anyKey.exec(word);
  if (key === null) return undefined;
  const which = key[1] === "" ? before : (key[1] ?? "");
  if (which === "" || filler.has(which) || determiners.has(which)) return "cipher";
  return otherKeys.has(which) ? undefined : "key";
}

const isFiller = (word: string): boolean => filler.has(word.toLowerCase()) || /^v?\d+$/i.test(word);
