import { type Static, Type } from '@sinclair/typebox';
import { flagField, textField } from '../http/field-errors.ts';
import { encodingRefusal, readBody, readMessageJson } from '../http/json-body.ts';
import { parameter } from '../http/parameter.ts';
import { badFields, ProblemError, refuse } from '../http/problem.ts';

/** Maximum size of a message, in bytes. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

const part = (description: string) => Type.Optional(textField(description));

/** The body of a request to check a message: its source, or its parts. */
export const MessageRequestSchema = Type.Object(
  {
    source: part('The whole mail as it was received (RFC 5322); the parts below are ignored then'),
    headers: part(
      'Header of the mail as it was received, one field per line, with `Authentication-Results` and `Received`',
    ),
    from: part('Sender as a header has it, if there is no `headers`'),
    subject: part('Subject, if there is no `headers`'),
    text: part('Plain text'),
    html: part('HTML'),
    private_mode: Type.Optional(
      flagField(
        '`true` (default): its check and those of its links are logged privately. `false`: in the public scan history. The message itself is never logged',
      ),
    ),
    visit: Type.Optional(
      flagField('`true` (default): its links are probed as the service is configured. `false`: nothing is looked up'),
    ),
  },
  {
    $id: 'MessageRequest',
    additionalProperties: false,
    description: 'What to check. Unknown and duplicate members are refused',
  },
);

export type MessageRequestJson = Static<typeof MessageRequestSchema>;

const choice = (description: string) =>
  Type.Optional(
    parameter<'true' | 'false'>('true or false', (text) => text === 'true' || text === 'false', {
      enum: ['true', 'false'],
      description,
      examples: ['false'],
    }),
  );

/** The choices for a mail that is sent as `message/rfc822`, whose body cannot state them. Others are refused. */
export const MessageQuerySchema = Type.Object(
  {
    private_mode: choice('As in the body, which comes first'),
    visit: choice('As in the body, which comes first'),
  },
  { additionalProperties: true },
);

export type MessageQuery = Static<typeof MessageQuerySchema>;

/** Bytes of mails that were sent as such, by the body that stands for them. */
const sources = new WeakMap<object, Uint8Array<ArrayBuffer>>();

const MAIL_TYPE = /^message\/rfc822[ \t]*(?:;|$)/i;

/** Reads a mail (`message/rfc822`), or its parts in JSON. Throws ProblemError 415, 413 or 400. */
export async function parseMessage({ request }: { readonly request: Request }): Promise<object> {
  if (!MAIL_TYPE.test(request.headers.get('content-type') ?? ''))
    return await readMessageJson(request, MAX_MESSAGE_BYTES);
  refuse(encodingRefusal(request.headers));
  const body = {};
  sources.set(body, new Uint8Array(await readBody(request, MAX_MESSAGE_BYTES)));
  return body;
}

/** Returns a message as a mail. Throws ProblemError 400 if there is none, or nothing in it. */
export function mailOf(body: MessageRequestJson): Uint8Array<ArrayBuffer> {
  const { source, headers, from, subject, text, html } = body;
  const sent = sources.get(body) ?? (source === undefined ? undefined : new TextEncoder().encode(source));
  if (sent ? sent.length === 0 : [headers, from, subject, text, html].every((one = '') => one === ''))
    throw new ProblemError(
      badFields([{ field: 'source', code: 'invalid_body', message: 'is required, or a part of the mail' }]),
    );
  if (sent !== undefined) return sent;
  const written = headers ?? [`From: ${oneLine(from)}`, `Subject: ${encoded(oneLine(subject))}`].join('\r\n');
  const own = written
    .split(/\r?\n(?![ \t])/)
    .filter((line) => line.trim() !== '' && !/^(?:content-|mime-version:)/i.test(line));
  const parts = [
    ...(text === undefined ? [] : [mimePart('plain', text)]),
    ...(html === undefined ? [] : [mimePart('html', html)]),
  ];
  const mail = [
    ...own,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    '',
    ...parts,
    `--${BOUNDARY}--`,
    '',
  ];
  return new TextEncoder().encode(mail.join('\r\n'));
}

/** No line of Base64 begins with it. */
const BOUNDARY = '=_lurecheck';

function mimePart(subtype: string, content: string): string {
  const lines = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    `--${BOUNDARY}`,
    `Content-Type: text/${subtype}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    lines,
  ].join('\r\n');
}

function oneLine(text = ''): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function encoded(text: string): string {
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}
