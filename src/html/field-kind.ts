import type { FieldKind } from './document.ts';

/** What a field says of itself; all but `label` as in its attributes. */
export interface FieldClues {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly autocomplete: string;
  readonly style: string;
  readonly label: string;
}

interface Clue {
  readonly kind: FieldKind;
  /** Matched against name and id, lower case, punctuation as single spaces. */
  readonly name: RegExp;
  /** Matched against the label, lower case. */
  readonly label: RegExp;
}

/** Tokens of the `autocomplete` attribute (HTML standard, "autofill"). */
const AUTOCOMPLETE: Readonly<Record<string, FieldKind>> = {
  'current-password': 'password',
  'new-password': 'password',
  'one-time-code': 'one_time_code',
  'cc-number': 'card_number',
  'cc-csc': 'card_code',
  username: 'user_name',
  email: 'email',
  tel: 'phone',
};

const PASSWORD_WORDS = [
  'password|passwd|passcode|passphrase|passwort|kennwort|mot de passe|contrase[nñ]a|clave|senha|palavra[- ]passe|wachtwoord|has[lł]o',
  'пароль|парола|лозинка|şifre|sifre|parola|parole|lösenord|adgangskode|passord|salasana|heslo|jelsz[oó]|lozinka|geslo|κωδικός πρόσβασης',
  'kata sandi|sandi|mật khẩu|รหัสผ่าน|पासवर्ड|סיסמה|סיסמא|كلمة المرور|كلمة السر|رمز عبور|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호',
].join('|');

/** The first that matches wins: the rarer the thing asked for, the earlier it stands. */
const CLUES: readonly Clue[] = [
  {
    kind: 'seed_phrase',
    name: /\b(?:seed ?phrase|recovery ?phrase|secret ?phrase|mnemonic|secret recovery|wallet ?phrase|private ?key|keystore)\b/,
    label:
      /\b(?:seed phrase|recovery phrase|secret phrase|secret recovery|mnemonic|12[- ]word|24[- ]word|private key|keystore json|phrase secrète|frase semilla|frase de recuperaci|wiederherstellungsphrase)|助记词|私钥|сид[- ]фраз/,
  },
  {
    kind: 'card_code',
    name: /\b(?:cvv2?|cvc2?|csc|cvn|card ?code|security ?code ?card|card ?cvv|ccv)\b/,
    label:
      /\b(?:cvv2?|cvc2?|cvn|ccv|card security code|kartenprüfnummer|cryptogramme|código de seguridad de la tarjeta)\b|安全码|セキュリティコード/,
  },
  {
    kind: 'card_number',
    name: /\b(?:card ?(?:number|num|no|nr)|cc ?(?:number|num|no|nr)|credit ?card|debit ?card|num ?carte|numero ?tarjeta|numero ?carta|kartennummer|pan)\b/,
    label:
      /\b(?:card number|credit card n|debit card n|kartennummer|kreditkartennummer|numéro de (?:la )?carte|numero de (?:la )?tarjeta|número de (?:la )?tarjeta|número do cartão|numero (?:della )?carta|kaartnummer|numer karty|kortnummer|номер карты|kart numarası)|卡号|カード番号|카드 ?번호|رقم البطاقة/,
  },
  {
    kind: 'one_time_code',
    name: /\b(?:otp|totp|one ?time ?(?:code|pass|password)|2fa|mfa|tan|sms ?code|sms ?tan|auth ?code|verification ?code|two ?factor|token ?code)\b/,
    label:
      /\b(?:one[- ]time (?:code|pass)|otp|sms[- ]?code|verification code|authentication code|authenticator code|bestätigungscode|sms-?tan|code de vérification|código de verificación|código de verificação|codice di verifica|verificatiecode|kod weryfikacyjny|код подтверждения|doğrulama kodu)|验证码|驗證碼|認証コード|인증 ?번호|رمز التحقق/,
  },
  {
    kind: 'identity_number',
    name: /\b(?:ssn|social ?security|national ?id|id ?number|passport ?(?:no|number)|tax ?id|cpf|cnpj|dni|nif|nie|curp|pesel|bsn|aadhaar|aadhar|codice ?fiscale|personnummer|driver ?licen[cs]e)\b/,
    label:
      /\b(?:social security|ssn|national id|passport number|cpf|cnpj|dni|pesel|bsn|aadhaar|codice fiscale|personalausweis|numéro de sécurité sociale|personnummer|driver'?s licen[cs]e|инн|снилс)\b|身份证|マイナンバー|주민등록번호/,
  },
  {
    kind: 'bank_account',
    name: /\b(?:iban|account ?number|acct ?(?:no|num|number)|routing ?(?:no|number)|sort ?code|kontonummer)\b/,
    label:
      /\b(?:iban|bank account number|account number|routing number|sort code|kontonummer|número de cuenta|numéro de compte)\b|口座番号|银行账号/,
  },
  {
    kind: 'password',
    name: /\b(?:password|passwd|passwort|kennwort|pass|user ?pass|pass ?word|pwd|psw|contrasena|senha|wachtwoord|haslo|heslo|mdp)\b/,
    label: new RegExp(
      `^\\W*(?:(?:your|enter|current|e-?mail|the|please|account|ihr|votre|tu|su|sua)\\W+){0,3}(?:${PASSWORD_WORDS})`,
    ),
  },
  {
    kind: 'email',
    name: /\b(?:e ?mail|mail|login ?email|user ?mail|correo|courriel)\b/,
    label:
      /e-?mail|courriel|correo|posta elettronica|электронн|эл\. почт|eposta|邮箱|郵箱|电子邮件|電子郵件|メール|이메일|البريد/,
  },
  {
    kind: 'phone',
    name: /\b(?:phone|mobile|tel|telephone|cell|handy|telefon|telefono)\b/,
    label: /\b(?:phone|mobile|telefon|téléphone|teléfono|telefone|cellulare|handy)|телефон|手机|手機|電話|전화|هاتف/,
  },
  {
    kind: 'user_name',
    name: /\b(?:user|user ?name|user ?id|login|login ?id|uid|usr|account|benutzer|benutzername|utilisateur|usuario|identifiant)\b/,
    label:
      /\b(?:user ?name|user ?id|login|benutzername|anmeldename|identifiant|nom d'utilisateur|usuario|utente|usuário|gebruikersnaam|nazwa użytkownika|логин|kullanıcı adı)|用户名|帳號|账号|ユーザー|아이디|اسم المستخدم/,
  },
];

const FREE_TEXT = new Set(['text', 'tel', 'number', 'password', 'email', 'url', 'search', 'textarea']);

/** What a field asks for; `other` where nothing tells. */
export function classifyField(clues: FieldClues): FieldKind {
  if (clues.type === 'hidden' || clues.type === 'file' || clues.type === 'search') return clues.type;
  if (!FREE_TEXT.has(clues.type)) return 'other';
  for (const token of clues.autocomplete.toLowerCase().split(/\s+/, 8)) {
    const kind = AUTOCOMPLETE[token];
    if (kind) return kind;
  }
  const found = CLUES.find(matcher(clues))?.kind;
  const masked = clues.type === 'password' || /text-security:(?:disc|circle|square)/.test(clues.style);
  if (masked) return found && RARER_THAN_PASSWORD.has(found) ? found : 'password';
  if (found !== undefined) return found;
  if (clues.type === 'email') return 'email';
  return clues.type === 'tel' ? 'phone' : 'other';
}

const RARER_THAN_PASSWORD: ReadonlySet<FieldKind> = new Set([
  'seed_phrase',
  'card_code',
  'card_number',
  'one_time_code',
  'identity_number',
]);

function matcher(clues: FieldClues): (clue: Clue) => boolean {
  const names = `${spaced(clues.name)} | ${spaced(clues.id)}`;
  const label = clues.label.toLowerCase();
  return (clue) => clue.name.test(names) || clue.label.test(label);
}

/** `user[loginEmail]` as `user login email`. */
function spaced(name: string): string {
  return name
    .slice(0, 64)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}
