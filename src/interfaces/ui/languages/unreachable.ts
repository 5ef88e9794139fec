import type { LanguageTag } from './known.ts';

/**
 * Title, text and retry link of the installed page without its service. In one file, because the language files come
 * from the service.
 */
export const UNREACHABLE: Readonly<Record<LanguageTag, readonly [title: string, text: string, again: string]>> = {
  en: [
    'lurecheck cannot reach its service',
    'Links are checked on a server, not on this device, so nothing can be checked right now. Check your connection and try again.',
    'Try again',
  ],
  de: [
    'lurecheck erreicht seinen Dienst nicht',
    'Links werden auf einem Server geprüft, nicht auf diesem Gerät. Gerade kann deshalb nichts geprüft werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    'Erneut versuchen',
  ],
  fr: [
    'lurecheck ne peut pas joindre son service',
    'Les liens sont vérifiés sur un serveur, pas sur cet appareil : rien ne peut être vérifié pour le moment. Vérifiez votre connexion et réessayez.',
    'Réessayer',
  ],
  es: [
    'lurecheck no puede conectar con su servicio',
    'Los enlaces se comprueban en un servidor, no en este dispositivo, así que ahora no se puede comprobar nada. Revise su conexión e inténtelo de nuevo.',
    'Intentar de nuevo',
  ],
  it: [
    'lurecheck non riesce a raggiungere il suo servizio',
    'I link vengono controllati su un server, non su questo dispositivo, quindi ora non è possibile controllare nulla. Controlla la connessione e riprova.',
    'Riprova',
  ],
  pt: [
    'O lurecheck não consegue acessar seu serviço',
    'Os links são verificados em um servidor, não neste dispositivo; por isso, nada pode ser verificado agora. Verifique sua conexão e tente de novo.',
    'Tentar de novo',
  ],
  ja: [
    'lurecheck がサービスに接続できません',
    'リンクはこの端末ではなくサーバーで調べるため、今は何も調べられません。接続を確認して、もう一度お試しください。',
    'もう一度試す',
  ],
  ar: [
    'تعذّر على lurecheck الوصول إلى خدمته',
    'تُفحص الروابط على خادم وليس على هذا الجهاز، لذلك لا يمكن فحص أي شيء الآن. تحقّق من الاتصال ثم حاول مرة أخرى.',
    'حاول مرة أخرى',
  ],
};
