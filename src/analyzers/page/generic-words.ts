/** Words of login pages that name an act, a thing or a legal form, and nobody: in the main languages, accents off. */
const WORDS = new Set(
  (
    'a aanmelden ac acceder accedi acceso access accesso account accounts acessar admin ag all alle an and ' +
    'anmelden anmeldung app area attachment authenticate authentication banking bei bienvenido bienvenue bij c ' +
    'client clientes clienti company compte confirm confirmation connecter connectez connexion conta continue ' +
    'copyright corp corporation cuenta customer doc document documentation documents droits e einloggen email ' +
    'encrypted entrar expired fax file files for form giris gmbh here home identification identity ihr im in ' +
    'inbox inc information iniciar inloggen inn internet into invoice konto limited link llc log logg logga ' +
    'login logon logowanie ltd mail mailbox mails member members message messages mijn mobile my now of ' +
    'official on online open other others oturum page panel password pdf plc please portal protected read ' +
    'rechte required reserved reserves rights sa safe se secure secured security server sesion session ' +
    'settings shared sharing sie sign signin sing site step su system the to tous tu up update upgrade user ' +
    'users uw validate validation verification verified verify view voice voicemail vorbehalten votre vous web ' +
    'webmail welcome willkommen with yap your zaloguj в войти вход систему'
  ).split(' '),
);
/** The same in scripts that set no spaces. */
const RUN =
  /^(?:登录|登錄|登入|登陆|邮箱|郵箱|邮件|郵件|电子|用户|设置|升级|安全|验证|系统|请|您的|ログイン|サインイン|メール|로그인)+$/;
/** The words that can stand in a made-up host name without a hyphen between them. */
const IN_NAMES = new RegExp(
  [...WORDS]
    .filter((word) => /^[a-z]{4,}$/.test(word))
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/** Whether a word, spelt as `wordsOf` does, names nobody. Numbers name nobody either. */
export function isGeneric(word: string): boolean {
  return WORDS.has(word) || /^\d+$/.test(word) || RUN.test(word);
}

/** What is left of a host's label when the words that name nobody are taken out: nothing of `secure-login24`. */
export function properPart(label: string): string {
  return label
    .split(/[-_.]/)
    .filter((part) => !isGeneric(part))
    .join('')
    .replace(IN_NAMES, '')
    .replace(/\d+/g, '');
}
