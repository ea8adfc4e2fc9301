/** `mysql -u root -p`, `sshpass -p `, `redis-cli -a `, `docker login -u x -p `. */
const client =
  /(?:^|[\s/])(?:(?:mysql\w{0,10}|mariadb(?:-\w{1,10})?)\s(?:[^|;\n]*\s)?-p|sshpass\s-p ?|redis-cli\s(?:[^|;\n]*\s)?-a |(?:(?:docker|podman|nerdctl|helm registry|oc|az)\slogin|mongo\w{0,10})\s(?:[^|;\n]*\s)?-p[ =]|ldap\w{1,10}\s(?:[^|;\n]*\s)?-w |zip\s(?:[^|;\n]*\s)?-P )["']?$/;
/** `curl -u jane:`, `machine x login jane password `, `Login: jane / `. */
const login =
  /(?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']{1,40}:$|\blogin\s\S{1,40}\spassword\s$|\b(?:log-?in|credentials|creds|user|username)(?:\s(?:data|details))?:\s[^\s/]{1,40}\s\/\s$/i;
/** `IDENTIFIED BY '` and `PASSWORD '` of SQL, `ConvertTo-SecureString "`, `openssl … pass:`. */
const quoted =
  /\bidentified\s(?:with\s\S{1,40}\s)?by\s["']$|\bConvertTo-SecureString\s(?:-String\s)?["']$|\s-pass(?:in|out)?\spass:$|\b(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|wachtwoord|contraseña|senha)\s["'`“]$/i;
/** `Password for jane: `. */
const owned =
  /\b(?:password|passphrase|passwort|contraseña|senha|mot de passe)\s(?:for|of|für|para|de|do|da|pour)\s["']?[^\s:"']{1,40}["']?(?:\s(?:is|ist|es|est|é))?\s?:?\s["'`]?$/i;
/** Words of several parts, and the text between them and the password. */
const sentence =
  /(?:mật khẩu|kata sandi|sandi|كلمة (?:المرور|السر)|גישה|סיסמ[אה]|पासवर्ड|κωδικός(?: πρόσβασης)?|συνθηματικό|пароль|lösenordet|passordet|adgangskoden|jelszavam|jelszó|parol[aă])\s?(?:là|adalah|היא|है|είναι|это|—|är|er|az|este|:|：|=)?\s?[:：]?\s?["'`«“]?$/iu;
/** Scripts without spaces: nothing need stand between name and value. */
const spaceless =
  /(?:密码|密碼|口令|パスワード|비밀번호|暗証番号|รหัสผ่าน|пароль)[^\p{L}\d]{0,3}(?:是|为|為|は|는|คือ|это)?[^\p{L}\d]{0,3}$/iu;

/** Returns true if the text before a value marks it as a password, as in commands and sentences. */
export const beforePassword = (before: string): boolean =>
  login.test(before) ||
  client.test(before) ||
  quoted.test(before) ||
  owned.test(before) ||
  spaceless.test(before) ||
  sentence.test(before);
