import { isLanguageTag, LANGUAGES, type LanguageTag } from '#src/core/languages/languages.ts';
import { displayName } from '#src/core/url/confusable.ts';
import type { Host } from '#src/core/url/host.ts';
import type { HttpReplacement } from '#src/parts/proxy/icap/icap-answer.ts';
import template from './block-page.template' with { type: 'text' };

/** The words of the block page, in the languages of the web page. */
export const BLOCK_PAGE_TEXTS = {
  en: {
    title: 'This site is blocked',
    suspicious: 'It looks like a site that steals passwords or money.',
    listed: 'The operator of this network has blocked it.',
    test: 'This is the test address: the gate examines the requests of this proxy and holds suspicious ones.',
    watchTest:
      'This is the test address: the gate examines the requests of this proxy. In watch mode it holds no other request.',
    why: 'Why',
    mistake: 'If you are sure that this is a mistake, contact the operator of this network with this number:',
    report: 'Report a mistake',
    override: 'Open the site anyway',
    overrideNote: 'For ten minutes, on this device. Do not enter passwords or payment details there.',
  },
  ar: {
    title: 'هذا الموقع محظور',
    suspicious: 'يشبه موقعًا يسرق كلمات المرور أو الأموال.',
    listed: 'حظره مشغّل هذه الشبكة.',
    test: 'هذا عنوان الاختبار: تفحص البوابة طلبات هذا الوكيل وتحجز المشبوه منها.',
    watchTest: 'هذا عنوان الاختبار: تفحص البوابة طلبات هذا الوكيل. في وضع المراقبة لا تحجز أي طلب آخر.',
    why: 'الأسباب',
    mistake: 'إذا كنت متأكدًا من أن هذا خطأ، فاتصل بمشغّل هذه الشبكة واذكر هذا الرقم:',
    report: 'الإبلاغ عن خطأ',
    override: 'فتح الموقع رغم ذلك',
    overrideNote: 'لمدة عشر دقائق على هذا الجهاز. لا تُدخل فيه كلمات مرور أو بيانات دفع.',
  },
  de: {
    title: 'Diese Seite ist gesperrt',
    suspicious: 'Sie sieht aus wie eine Seite, die Passwörter oder Geld stiehlt.',
    listed: 'Der Betreiber dieses Netzes hat sie gesperrt.',
    test: 'Das ist die Testadresse: Das Gate prüft die Anfragen dieses Proxys und hält verdächtige an.',
    watchTest:
      'Das ist die Testadresse: Das Gate prüft die Anfragen dieses Proxys. Im Beobachtungsmodus hält es keine andere Anfrage an.',
    why: 'Gründe',
    mistake: 'Wenn das sicher ein Irrtum ist, nennen Sie dem Betreiber dieses Netzes diese Nummer:',
    report: 'Irrtum melden',
    override: 'Seite trotzdem öffnen',
    overrideNote: 'Für zehn Minuten, auf diesem Gerät. Geben Sie dort keine Passwörter und keine Zahlungsdaten ein.',
  },
  es: {
    title: 'Este sitio está bloqueado',
    suspicious: 'Se parece a un sitio que roba contraseñas o dinero.',
    listed: 'El operador de esta red lo ha bloqueado.',
    test: 'Esta es la dirección de prueba: la puerta examina las peticiones de este proxy y retiene las sospechosas.',
    watchTest:
      'Esta es la dirección de prueba: la puerta examina las peticiones de este proxy. En modo de observación no retiene ninguna otra.',
    why: 'Motivos',
    mistake: 'Si está seguro de que es un error, indique este número al operador de esta red:',
    report: 'Notificar un error',
    override: 'Abrir el sitio de todos modos',
    overrideNote: 'Durante diez minutos, en este dispositivo. No introduzca contraseñas ni datos de pago.',
  },
  fr: {
    title: 'Ce site est bloqué',
    suspicious: 'Il ressemble à un site qui vole des mots de passe ou de l’argent.',
    listed: 'L’exploitant de ce réseau l’a bloqué.',
    test: 'Ceci est l’adresse de test : le portail examine les requêtes de ce proxy et retient les suspectes.',
    watchTest:
      'Ceci est l’adresse de test : le portail examine les requêtes de ce proxy. En mode observation, il n’en retient aucune autre.',
    why: 'Raisons',
    mistake: 'Si vous êtes sûr qu’il s’agit d’une erreur, communiquez ce numéro à l’exploitant de ce réseau :',
    report: 'Signaler une erreur',
    override: 'Ouvrir le site malgré tout',
    overrideNote: 'Pendant dix minutes, sur cet appareil. N’y saisissez ni mot de passe ni données de paiement.',
  },
  it: {
    title: 'Questo sito è bloccato',
    suspicious: 'Assomiglia a un sito che ruba password o denaro.',
    listed: 'Il gestore di questa rete lo ha bloccato.',
    test: 'Questo è l’indirizzo di prova: il gate esamina le richieste di questo proxy e trattiene quelle sospette.',
    watchTest:
      'Questo è l’indirizzo di prova: il gate esamina le richieste di questo proxy. In modalità di osservazione non ne trattiene altre.',
    why: 'Motivi',
    mistake: 'Se è certo che si tratta di un errore, comunichi questo numero al gestore di questa rete:',
    report: 'Segnala un errore',
    override: 'Apri comunque il sito',
    overrideNote: 'Per dieci minuti, su questo dispositivo. Non inserisca password o dati di pagamento.',
  },
  ja: {
    title: 'このサイトはブロックされています',
    suspicious: 'パスワードや金銭を盗むサイトに似ています。',
    listed: 'このネットワークの管理者がブロックしました。',
    test: 'これはテスト用のアドレスです。ゲートはこのプロキシのリクエストを検査し、疑わしいものを止めます。',
    watchTest:
      'これはテスト用のアドレスです。ゲートはこのプロキシのリクエストを検査しています。監視モードでは、ほかのリクエストは止めません。',
    why: '理由',
    mistake: '誤りであることが確かな場合は、この番号をネットワークの管理者に伝えてください:',
    report: '誤りを報告する',
    override: 'それでもサイトを開く',
    overrideNote: 'この端末で10分間有効です。パスワードや支払い情報を入力しないでください。',
  },
  pt: {
    title: 'Este site está bloqueado',
    suspicious: 'Parece um site que rouba senhas ou dinheiro.',
    listed: 'O operador desta rede bloqueou-o.',
    test: 'Este é o endereço de teste: o gate examina os pedidos deste proxy e retém os suspeitos.',
    watchTest:
      'Este é o endereço de teste: o gate examina os pedidos deste proxy. No modo de observação não retém nenhum outro.',
    why: 'Motivos',
    mistake: 'Se tem certeza de que é um erro, informe este número ao operador desta rede:',
    report: 'Comunicar um erro',
    override: 'Abrir o site mesmo assim',
    overrideNote: 'Durante dez minutos, neste dispositivo. Não introduza senhas nem dados de pagamento.',
  },
} as const;

import { blockPageTexts } from './block-page-texts.ts' with { type: 'macro' };

/** Content of the block page. Never a path or query: others may see the screen. */
export interface BlockPage {
  readonly host: Pick<Host, 'text'>;
  /** Cause: the spelling, a list of the operator, or a test of the gate in one of its modes. */
  readonly cause: 'suspicious' | 'listed' | 'test' | 'watchTest';
  /** Reasons for the verdict, the strongest first. */
  readonly reasons: readonly string[];
  /** Id of the record; null if there is none. */
  readonly requestId: string | null;
  /** Address for reporting a mistake; null if there is none. */
  readonly reportUrl: string | null;
  /** Path that opens the site anyway; null if that is not allowed. */
  readonly overridePath: string | null;
}

const TEXTS = blockPageTexts();

const MAX_REASONS = 3;

/** Returns one document without scripts, which loads nothing: the way to any other page may be closed. */
export function blockPage(page: BlockPage, acceptLanguage: string): string {
  const language = languageFor(acceptLanguage);
  const { headings, ...say } = TEXTS[language];
  const known: Readonly<Record<string, string>> = headings;
  const reasons = page.reasons.slice(0, MAX_REASONS).flatMap((code) => known[code] ?? []);
  const items = reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('');
  const link = (address: string, words: string) => `<a href="${escapeHtml(address)}">${words}</a>`;
  const parts: Readonly<Record<string, string>> = {
    language,
    direction: LANGUAGES[language].direction,
    title: say.title,
    host: escapeHtml(displayName(page.host.text)),
    verdict: say[page.cause],
    reasons: items && `<h2>${say.why}</h2><ul>${items}</ul>`,
    number: page.requestId ? `<p>${say.mistake} <code>${page.requestId}</code></p>` : '',
    report: page.reportUrl ? `<p>${link(page.reportUrl, say.report)}</p>` : '',
    override: page.overridePath ? `<p>${link(page.overridePath, say.override)}<br>${say.overrideNote}</p>` : '',
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
}

/** Returns the page as a response; an answer to HEAD has the head alone. */
export function blockResponse(
  page: BlockPage,
  { method, acceptLanguage }: { readonly method: string; readonly acceptLanguage: string },
): HttpReplacement {
  const body = new TextEncoder().encode(blockPage(page, acceptLanguage));
  return {
    status: '403 Forbidden',
    fields: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      // A proxy that stored it would hold a site back that was allowed meanwhile.
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
    body: method === 'HEAD' ? null : body,
  };
}

/** Returns the first language of a reader that the page has; English if it has none of them. */
export function languageFor(acceptLanguage: string): LanguageTag {
  const tags = acceptLanguage
    .slice(0, 512)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-')[0] ?? '', quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return tags.map(({ language }) => language).find(isLanguageTag) ?? 'en';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
