import { isGeneric } from './generic-words.ts';
import { found, quote, type Sign } from './sign.ts';
import { wordsOf } from './words.ts';

/** Phrases of pressure in the languages that most lures are written in. */
const URGENCY =
  /\b(?:account (?:has been|is|was|will be) (?:suspended|locked|limited|disabled|restricted|deactivated|terminated|closed|on hold)|unusual (?:activity|sign[- ]?in)|suspicious activity|verify your (?:account|identity|information)|confirm your (?:account|identity|information)|(?:session|password) (?:has |is )?expired|within (?:24|48|72) hours|avoid (?:suspension|closure|interruption)|update your (?:payment|billing|account)|your mailbox (?:is|has)|mailbox (?:quota|is full|storage)|storage (?:is )?(?:almost )?full|because you.?re accessing sensitive info|you(?:'ve| have) received a (?:secure|new) (?:link|file|document|message|fax)|to (?:view|access|download|read) (?:the |this |your )?(?:shared )?(?:document|file|invoice|message|fax)|login to (?:view|continue|access) (?:the |your )?(?:document|file)|only (?:the )?recipient)\b|konto (?:wurde|ist) (?:gesperrt|eingeschränkt|vorübergehend)|bestätigen sie (?:ihr|ihre)|ungewöhnliche (?:aktivität|anmeldung)|innerhalb von (?:24|48|72) stunden|compte (?:a été|est) (?:suspendu|bloqué|limité|désactivé)|confirmez (?:votre|vos)|activité (?:inhabituelle|suspecte)|sous (?:24|48|72) ?h|cuenta (?:ha sido|está|fue) (?:suspendida|bloqueada|limitada)|verifique su|actividad (?:inusual|sospechosa)|conta (?:foi|está) (?:suspensa|bloqueada|limitada)|confirme (?:seus|sua)|account (?:è stato|è) (?:sospeso|bloccato|limitato)|verifica (?:il tuo|la tua)|account (?:is|werd) (?:geblokkeerd|opgeschort)|bevestig uw|konto zostało (?:zablokowane|zawieszone)|potwierdź swoj|аккаунт (?:заблокирован|приостановлен)|подтвердите (?:ваш|свой)|hesabınız (?:askıya|kısıtlan)|账户(?:已被|被)(?:冻结|暂停|锁定)|邮箱(?:升级|已满|验证|容量)|邮件升级|アカウント(?:が|は)(?:停止|制限|ロック)|계정이 (?:정지|잠)|تم (?:تعليق|إيقاف) حساب/i;

/** A page that asks for a login presses the visitor. */
export const urgency: Sign = (view) => {
  if (!view.asksToLogIn) return null;
  const { title, headings, visibleText } = view.document;
  // Fold the typographic apostrophe; the rest of the text is matched as it stands.
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join('\n').replaceAll('’', "'");
  const phrase = URGENCY.exec(text)?.[0];
  return phrase === undefined ? null : found(`The page presses visitors to log in: ${quote(phrase)}`);
};

const MAX_TITLE_CHARACTERS = 100;

/** A login page has a title that would fit anybody's. */
export const namelessTitle: Sign = (view) => {
  const title = view.document.title ?? '';
  if (!view.asksToLogIn || view.namesItsSite || title.length > MAX_TITLE_CHARACTERS) return null;
  const words = wordsOf(title);
  if (words.length === 0 || !words.every(isGeneric)) return null;
  return found(`The page asks for a login under the title ${quote(title)}, which names nobody`);
};

/** What the makers of kits and of the tools that send lures leave behind. */
const KIT_MARKS =
  /\b(?:leaf ?php ?mailer|x3d mailer|priv8|php ?mailer by|ex-?robotos|16shop|coded by \w+|scampage|scam page|spammer|spamming tools|hackers? team|anonisma|xbalti|kr3pto|chalbhai|u-?admin panel|evilginx|gophish|zphisher|socialfish|blackeye|hiddeneye|setoolkit|modlishka|rezult|letter by|wso shell|b374k|c99shell|fud (?:page|link|mailer))\b/i;

/** The page carries the mark of a kit or of a tool for sending lures. */
export const kitMark: Sign = (view) => {
  const { title, headings, comments, visibleText } = view.document;
  const text = [title ?? '', ...headings, ...comments, visibleText.slice(0, 2000)].join('\n');
  const mark = KIT_MARKS.exec(text)?.[0];
  return mark === undefined ? null : found(`The page carries the mark ${quote(mark)}, which phishing tools leave`);
};
