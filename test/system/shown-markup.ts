/** A page for Chromium and for us: what it holds, and the header fields and the status that it comes with. */
export type ShownPage = readonly [
  name: string,
  html: string | Uint8Array,
  headers?: Readonly<Record<string, string>>,
  status?: string,
];

/** Stand in pages for the addresses of two other sites, which are honest and hostile. */
export const HONEST = 'http://honest.invalid/';
export const HOSTILE = 'http://hostile.invalid/';

/** What is typed into, and what sends it. */
export const FIELD = '<input type=password name=p><input type=submit>';
/** What a phishing page shows. */
export const FORM = `<form action=/steal>${FIELD}</form>`;
export const RELATIVE = `<form action=steal>${FIELD}</form>`;
export const TITLED = `<title>Sign in</title>${FORM}`;
export const go = (content: string) => `<meta http-equiv=refresh content="${content}">`;
export const REFRESH = go(`0;url=${HONEST}`);
export const BASE = `<base href="${HONEST}">`;
export const OPEN = `<form action="${HONEST}">`;
export const dead = (markup: string) =>
  `<script>if (0) document.write(${JSON.stringify(markup).replaceAll('</', '<\\/')})</script>`;
export const written = (markup: string) => dead(markup).replace('if (0) ', '');
export const csp = (policy: string) => ({ 'Content-Security-Policy': policy });
export const type = (value: string) => ({ 'Content-Type': value });
export const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
export const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
export const srcdoc = (markup: string, attributes = '') =>
  `<iframe ${attributes} srcdoc="${markup.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
export const data = (markup: string) => `<iframe src="data:text/html,${encodeURIComponent(markup)}"></iframe>`;
export const shadow = (markup: string) => `<div><template shadowrootmode=open>${markup}</template></div>`;
export const KIB = 1024;
export const pad = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));
