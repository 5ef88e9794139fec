import { readMessage } from '#src/engine/message/read-message.ts';

/** A mail with a part for each way of showing it, as mail programs send them; the parts are encoded as their senders do. */
export function htmlMail(markup: string, text: string, attachments: readonly string[] = []): string {
  return [
    'From: "PayPal" <service@paypal.example>',
    'To: maria@example.com',
    'Subject: =?utf-8?B?WW91ciBhY2NvdW50?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary="inner"',
    '',
    '--inner',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    quotedPrintable(text),
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    new TextEncoder().encode(markup).toBase64().replace(/.{76}/g, '$&\r\n'),
    '--inner--',
    ...attachments.flatMap((attachment) => ['--outer', attachment]),
    '--outer--',
    '',
  ].join('\r\n');
}

/** An attachment in base64. */
export function attachment(contentType: string, name: string, bytes: Uint8Array): string {
  return [
    `Content-Type: ${contentType}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    bytes.toBase64().replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n');
}

/** Words that name a bank, in front of a link to another site. */
export const LURE_URL = 'https://paypal-login.verify-account.cyou/signin';

/** The message with that link, as HTML. */
export const LURE_HTML = `<html><body><p>Dear customer,</p><p>please confirm your account:
<a href="${LURE_URL}">https://www.paypal.com/signin</a></p></body></html>`;

function quotedPrintable(text: string): string {
  return text.replace(/=/g, '=3D').replace(/.{70}(?=.)/g, '$&=\r\n');
}

/** Returns the head of a mail with these headers above the usual ones. */
export async function headOf(...headers: readonly string[]) {
  const text = [...headers, 'MIME-Version: 1.0', '', 'Hello', ''].join('\r\n');
  return (await readMessage(new TextEncoder().encode(text), 'mail.eml'))?.head;
}
