import { expect, test } from 'bun:test';
import { readMessage } from '#src/engine/message/read-message.ts';
import { isWholeMail, mailOfLinks, noteMail } from '#src/interfaces/ui/mail/opened-mail.ts';

test('a mail is sent only as long as each of its links is in the text box, however written', async () => {
  const bytes = new TextEncoder().encode(
    'From: a@b.example\r\n\r\nhttps://one.example https://two.example/x https://three.example/',
  );
  const message = await readMessage(bytes, 'mail.eml');
  if (message === null) throw new Error('expected a mail');
  noteMail(message.links, message, bytes);
  const mail = mailOfLinks(message.links);
  if (mail === null) throw new Error('expected the links of a mail');
  const rewritten = message.links.map((link) => ({ ...link, url: link.url.replace('https://one.', 'HTTPS://ONE.') }));
  expect([isWholeMail(mail, message.links), isWholeMail(mail, rewritten)]).toEqual([true, true]);
  const fewer = message.links.filter(({ url }) => !url.includes('two'));
  expect([mailOfLinks(fewer), isWholeMail(mail, fewer)]).toEqual([mail, false]);
});
