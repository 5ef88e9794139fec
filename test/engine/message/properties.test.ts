import { expect, test } from 'bun:test';
import { readMessage } from '#src/engine/message/read-message.ts';

const urlsOf = async (text: string) => {
  const message = await readMessage(new TextEncoder().encode(text));
  return message?.links.map(({ url }) => url);
};

const LINK =
  'http://paypal-login.verify-acct.example/signin/confirm/8f2c1d7e-3b4a-4c5d-9e6f-0a1b2c3d4e5f?session=abcdef0123456789&ref=calendar';

/** Folds a line as RFC 5545 §3.1 has it, first after some characters. */
function folded(line: string, first: number, end = '\r\n'): string {
  const pieces = [line.slice(0, first)];
  for (let at = first; at < line.length; at += 74) pieces.push(line.slice(at, at + 74));
  return pieces.join(`${end} `);
}

const eventOf = (lines: readonly string[], end = '\r\n') =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join(end);

test.each(['\r\n', '\n', '\r'])('joins lines folded anywhere in a link (%j)', async (end) => {
  const line = `DESCRIPTION:Confirm\\, please: ${LINK}\\n\\nThank you`;
  for (let first = 12; first < line.length; first++)
    expect(await urlsOf(eventOf([folded(line, first, end), 'LOCATION:Room 3.in'], end))).toEqual([LINK]);
});

test('a value ends with its property', async () => {
  for (const name of [
    'DESCRIPTION',
    'LOCATION',
    'URL;VALUE=URI',
    'COMMENT',
    'SUMMARY;LANGUAGE=en',
    'CONFERENCE;VALUE=URI;LABEL="a:b"',
  ])
    expect(await urlsOf(eventOf([folded(`${name}:${LINK}`, 75)]))).toEqual([LINK]);
  expect(await urlsOf(eventOf([`DESCRIPTION:${LINK}-`, 'GEO:1.2;3.4', 'X-A:b.example/c']))).toEqual([`${LINK}-`]);
});

test('people, identifiers, times and settings are no links', async () => {
  const lines = [
    'ORGANIZER;CN=O;DIR="https://people.example/o":mailto:o@valley-school.example',
    'ATTENDEE;ROLE=REQ-PARTICIPANT;X-NUM-GUESTS=0:mailto:m.br@mail.example.com.',
    ' br',
    'UID:20260101.abc@mail.example.com',
    'TZURL:http://tz.example/zone',
    'PRODID:-//a.example//b.example/x//EN',
    'DTSTART;TZID=Europe/Berlin:20260101T100000',
    'ATTACH;VALUE=BINARY;ENCODING=BASE64:aHR0cDovL2EuZXhhbXBsZS8=',
    'X-WR-CALNAME:calendar.example.com',
    'DESCRIPTION:version 2.43.0 of setup.py',
  ];
  expect(await urlsOf(eventOf(lines))).toEqual([]);
});

test('reads escapes, markup and addresses of an invitation', async () => {
  const lines = [
    'LOCATION:http://hit.top.example/x',
    'DESCRIPTION:Join here: http://hit2.top.exam',
    ' ple/x\\nThanks\\, Anna\\; see http://hit5.top.example/a\\,b\\;c',
    'URL:http://hit3.top.example/x',
    'X-ALT-DESC;FMTTYPE=text/html:<html><a href="http://hit4.top.example/x">x</a',
    '\t></html>',
    'COMMENT;ALTREP="data:text/html,%3Ca%20href=%22http://hit6.top.example/%22%3E":x',
    'X-GOOGLE-CONFERENCE:https://hit7.top.example/abc',
    'ATTACH:https://hit8.top.example/file.html',
    'DESCRIPTION;X-A="b:c;d":see evil-login.example/x',
  ];
  expect((await urlsOf(eventOf(lines)))?.toSorted()).toEqual([
    'http://evil-login.example/x',
    'http://hit.top.example/x',
    'http://hit2.top.example/x',
    'http://hit3.top.example/x',
    'http://hit4.top.example/x',
    'http://hit5.top.example/a,b;c',
    'http://hit6.top.example/',
    'https://hit7.top.example/abc',
    'https://hit8.top.example/file.html',
  ]);
});

test('reads a card, also of version 2.1 with quoted-printable', async () => {
  const card = [
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N:Meier;Anna',
    'EMAIL;INTERNET:anna.meier@firm.example.com',
    'PHOTO;ENCODING=BASE64;JPEG:aHR0cDovL2EuZXhhbXBsZS8aHR0cDovL2EuZXhhbXBsZS8=',
    'NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=BC=C3=9Fe=0D=0Ahttp://hit.top.ex=',
    'ample/x=3Fa=3D1',
    'item1.URL;type=pref:http\\://hit2.top.example/x',
    'URL:evil-login.example',
    'X-SOCIALPROFILE;type=x:https://hit3.top.example/anna',
    'END:VCARD',
  ].join('\r\n');
  expect(await urlsOf(card)).toEqual([
    'http://hit.top.example/x?a=1',
    'http://hit2.top.example/x',
    'http://evil-login.example',
    'https://hit3.top.example/anna',
  ]);
});

test('an invitation in a mail is read likewise', async () => {
  const mail = [
    'From: a@b.example',
    'Subject: x',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=bb',
    '',
    '--bb',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    '',
    eventOf([folded(`DESCRIPTION:${LINK}`, 40), 'ORGANIZER:mailto:a@c.example.com']),
    '--bb--',
    '',
  ].join('\r\n');
  expect(await urlsOf(mail)).toEqual([LINK]);
});

test('other texts are no properties', async () => {
  expect(await urlsOf('BEGIN: see https://a.example/')).toEqual(['https://a.example/']);
});
