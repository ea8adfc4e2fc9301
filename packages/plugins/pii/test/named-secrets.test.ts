import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";
import { drawing, seeded } from "./draw.js";

const value = drawing(/[\dA-Za-z]{32}/, seeded(22))();
const found = (text: string): string[] =>
  detect(text, { types: ["secret"] }).map(({ start, end }) => text.slice(start, end));

describe("values that are named", () => {
  it.each([
    `API_KEY=${value}`,
    `export SECRET="${value}"`,
    `"clientSecret": "${value}"`,
    `'auth_token' => '${value}'`,
    `const appToken: string = "${value}";`,
    `let api_key: &'static str = "${value}";`,
    `token := "${value}"`,
    `secret <- "${value}"`,
    `<apiKey>${value}</apiKey>`,
    `<add key="ApiKey" value="${value}" />`,
    `- name: API_KEY\n  value: ${value}`,
    `run --api-token ${value}`,
    `-H "X-Api-Key: ${value}"`,
    `Authorization: Bearer ${value}`,
    `Server=x;AccountKey=${value};Db=y`,
    `client.setSecret("${value}")`,
    `my API key is ${value}.`,
    `use the secret key ${value} here`,
    `Authorization: Token ${value}`,
    `api-key: ${value}`,
    `Cookie: theme=dark; sid=${value}; lang=en`,
    `Set-Cookie: id=${value}; Path=/; HttpOnly`,
    `/app;JSESSIONID=${value}`,
    `Cookie: connect.sid=${value}`,
    `oktaToken = env("X") || "${value}"`,
    `[INFO] Datadog client made with ${value}`,
    `mailgun = '${value}'`,
    `new Algolia("${value}")`,
    `Algolia token - '${value}'`,
  ])("are found: %s", (text) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['"password": "hunter22"', "hunter22"],
    ['"password": "h:un,ter 2"', undefined],
    ['password = "hunter22&(x=y"', "hunter22&(x=y"],
    ["mein Passwort ist hunter22.", "hunter22"],
    ["password=hunter22&x!, then", "hunter22&x!"],
    ["my password is: Tr0ub4dor&3!", "Tr0ub4dor&3!"],
    ["/login?password=hunter22&next=/home", "hunter22"],
    ["le mot de passe est hunter22, la password è da cambiare", "hunter22"],
    ["hasło: hunter22", "hunter22"],
    ["mysql -u root -phunter22 shop", "hunter22"],
    ["sshpass -p hunter22 ssh x", "hunter22"],
    ["password=correcthorsebatterystaple", "correcthorsebatterystaple"],
    ["?id=7&password=correcthorsebatterystaple", "correcthorsebatterystaple"],
    ["password=horse-+~!9battery", "horse-+~!9battery"],
    ["redis-cli -h db -a hunter22 get x", "hunter22"],
    ["docker login -u jane -p hunter22 x", "hunter22"],
    ["ldapsearch -x -D cn=a -w hunter22 b", "hunter22"],
    ["CREATE USER jane IDENTIFIED BY 'hunter22';", "hunter22"],
    ["ALTER ROLE jane WITH PASSWORD 'hunter22'", "hunter22"],
    ['ConvertTo-SecureString "hunter22" -AsPlainText', "hunter22"],
    ["define('DB_PASSWORD', 'h!unter22');", "h!unter22"],
    ["password: 'hunter22&x=1'", "hunter22&x=1"],
    ['{\\"password\\":\\"hunter22\\"}', "hunter22"],
    ["DB_PASSWORD=Fr@nk*2(z)", "Fr@nk*2(z)"],
    ["password: hüntér22", "hüntér22"],
    ['client_secret = "h!unter22"', "h!unter22"],
    ["Password for jane: hunter22", "hunter22"],
    ["use password h!unter22 here", "h!unter22"],
    ["das Passwort lautet hunter22", "hunter22"],
    ["lösenordet är hunter22", "hunter22"],
    ["mật khẩu là hunter22", "hunter22"],
    ["kata sandi: hunter22", "hunter22"],
    ["كلمة المرور: hunter22", "hunter22"],
    ["הסיסמה היא hunter22", "hunter22"],
    ["पासवर्ड: hunter22", "hunter22"],
    ["κωδικός πρόσβασης: hunter22", "hunter22"],
    ["parola este hunter22", "hunter22"],
    ["我的密码是hunter22，谢谢", "hunter22"],
    ["curl -u jane:hunter22 https://x.com", "hunter22"],
    [`postgres://${["jane", "hunter22"].join(":")}@db/x`, "hunter22"],
    [`Authorization: Basic ${Buffer.from("jane:hunter22").toString("base64")}`, "amFuZTpodW50ZXIyMg=="],
  ])("are found, also when somebody made them up: %s", (text, expected) => {
    expect(found(text)).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each([
    `commit: ${value}`,
    `next_page_token=${value}`,
    `session_id: "${value}"`,
    "if (password==x1&&second2) set_password(user_name_2 x)",
    "tool -phunter22 and cookie: theme1",
    `cacheKey: "${value}"`,
    `let key = "${value}"`,
    "api_key = your_api_key_1",
    "token = $API_TOKEN_1",
    "password = process.env.DB_PASS1",
    "secret = getSecret1()",
    "password: password123",
    "password_hash = bcrypt2",
    "postgres://user:password@localhost/x",
    "max_tokens: 4096",
    '"ClientToken":"f47ac10b-58cc-4372-a567-0e02b2c3d479"',
    '"UpdateToken":"f47ac10b-58cc-4372-a567-0e02b2c3d479"',
    "?DocumentKey=f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "dkim=pass header.i=@x1.eu header.b=Qm7tR2nZ",
    '"masterUserPassword":"HIDDEN_DUE_TO_SECURITY_REASONS"',
    `--pinnedpubkey sha256//${value}`,
    "token: my-token-name-2",
    'key: "button1-label"',
    `okta commit ${value}, algolia request id ${value}`,
    `modernc.org/token v1.1.0 h1:${value}=`,
    `/okta/${value} datadog_trace_id=${value}`,
    "token oauthlib.oauth2.rfc6749.tokens1",
    "MAILGUN_KEY TCA_FLOWER_KEY_L2TPV3_SID2",
    'passwd 1:4.13+dfsg1-1+deb12u1, ["password", "password2"]',
    "call password(user2, x) with password SHA256withRSA",
  ])("are not found where the name, or the value, says otherwise: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    "Hockey2020!x",
    "Turkey#Sandwich9",
    "Monkey123!",
    "WhiskeyTango7",
    "MonkeyWrench_93847",
    "MySecret99!",
    "Token77x!",
    "BlueMonkey42!",
  ])("are found if they contain the letters of a word for secrets: %s", (password) => {
    for (const text of [`DB_PASSWORD=${password}`, `{"password":"${password}"}`, `password: ${password}`])
      expect(found(text)).toEqual([password]);
    expect(found(`{"clientSecret":"${password}"}`)).toEqual([password]);
    expect(createRedactor({ secret: "redact" }).value({ password })).toEqual({ password: "[REDACTED_SECRET]" });
  });

  it.each([
    "password: user_password_2",
    "password: userPassword2",
    "password = getToken1",
    "password: db.secret1",
    "client_secret: my-client-secret-1",
    '"clientSecret": "appSecretKey1"',
  ])("are not found if they are the name of a variable: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  const hexadecimal = drawing(/[\da-f]{64}/, seeded(31))();

  it.each([
    ["apikey=", 16],
    ["x-api-key: ", 18],
    ["secret: ", 16],
    ['"token": "', 20],
    // The lengths of keys of AES (FIPS 197).
    ["key: ", 32],
    ['"key": "', 48],
    ["KEY=", 64],
  ])("are found if they are hexadecimal: %s and %i characters", (name, length) => {
    const digits = hexadecimal.slice(0, length);
    expect(found(`${name}${digits}${name.endsWith('"') ? '"' : ""}`)).toEqual([digits]);
  });

  it.each(["key: ", "cache key: ", "by key ", "etag: ", "monkey: "])(
    "are not found if they are a digest after another name: %s",
    (name) => {
      expect(found(`${name}${hexadecimal.slice(0, name === "key: " ? 40 : 32)}`)).toEqual([]);
    },
  );

  it.each(["Password123!", "Admin123!", "Test_1234", "Root!2024"])(
    "are found if they are a common word that fulfils the rules for passwords: %s",
    (password) => {
      expect(found(`password: ${password}`)).toEqual([password]);
      expect(found(`{"db_password":"${password}"}`)).toEqual([password]);
      expect(found(`token: ${password}`)).toEqual([]);
    },
  );

  it.each([
    "the admin password is set to Xk9#mQ2p",
    "Your passphrase was changed to Xk9#mQ2p.",
    "password has been reset to: Xk9#mQ2p",
    "Login: bob / Xk9#mQ2p",
    "login details: bob@x.com / Xk9#mQ2p",
    "Credentials: bob / Xk9#mQ2p",
  ])("are found in sentences about a login: %s", (text) => {
    expect(found(text)).toEqual(["Xk9#mQ2p"]);
  });

  // The protocol buffers in it contain a negative number, which is ten bytes of 0xff in a row.
  it.each([300, 720, 1420, 2048])("are found if they are a session token of AWS of %i characters", (length) => {
    const half = drawing(/[\dA-Za-z]{1200}/, seeded(length))().slice(0, length / 2 - 7);
    const token = `IQoJb3JpZ2luX2VjE${half}//////////ARAB${half}`;
    for (const name of ["sessionToken", "SessionToken", "AWS_SESSION_TOKEN"]) {
      expect(found(`"${name}":"${token}"`)).toEqual([token]);
      expect(found(`${name}=${token}`)).toEqual([token]);
    }
  });

  it.each([512, 513, 800, 1800, 2012, 9000])("are found if they have %i characters", (length) => {
    const long = drawing(/[\dA-Za-z]{9000}/, seeded(length))().slice(0, length);
    for (const text of [`"access_token":"${long}"`, `Authorization: Bearer ${long}`, `password=${long}`]) {
      const redactor = createRedactor({ secret: "redact" });
      const whole = redactor.redact(text);
      expect(whole).not.toContain(long.slice(0, 64));
      expect(whole).not.toContain(long.slice(-64));
      const stream = redactor.stream();
      expect([...text].map((character) => stream.push(character)).join("") + stream.end()).toBe(whole);
    }
    expect(createRedactor({ secret: "redact" }).value({ access_token: long })).toEqual({
      access_token: "[REDACTED_SECRET]",
    });
  });

  it("are found as access tokens of Google of 2,048 characters", () => {
    const token = `ya29.${drawing(/[\dA-Za-z]{2043}/, seeded(29))()}`;
    expect(found(`see ${token} there`)).toEqual([token]);
  });

  it.each(["xxxxxxxxxxxxxxxxxxxx1", "sk_0000000000000000", "AAAAAAAAAAAAAAAAAAAAAAAAAA1b", "abcd0000000000001234"])(
    "are not found if one character stands in place of them: %s",
    (token) => expect(found(`token=${token}`)).toEqual([]),
  );

  it("are found in the fields of a value", () => {
    const redactor = createRedactor({ secret: "redact" });
    expect(redactor.value({ apiKey: value, id: value })).toEqual({ apiKey: "[REDACTED_SECRET]", id: value });
  });
});
