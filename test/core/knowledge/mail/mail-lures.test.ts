import { expect, test } from 'bun:test';
import { mailPhrases } from '#src/core/knowledge/mail/mail-phrases.ts';

test.each([
  ['Twoje konto zostało zablokowane', 'account'],
  ['Twoja paczka została wstrzymana', 'parcel'],
  ['Potwierdź swoje dane w ciągu 24 godzin', 'urgency'],
  ['Ditt konto har spärrats', 'account'],
  ['Uw Rabo Scanner verloopt op 30 november', 'account'],
  ['Your package could not be delivered', 'parcel'],
  ['𝐘𝐨𝐮𝐫 𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝 𝐞𝐱𝐩𝐢𝐫𝐞𝐬', 'account'],
] as const)('%s: %s', (text, topic) => {
  expect([...mailPhrases('', '', text).textLures.keys()]).toContain(topic);
});

test.each([
  'Hola Anna, te envío la factura pendiente.',
  'My password manager for Windows',
  'Besten Dank für die Blumen',
])('an ordinary sentence names no parcel and no account: %s', (text) => {
  expect(
    [...mailPhrases('', '', text).textLures.keys()].filter((topic) => topic === 'parcel' || topic === 'account'),
  ).toEqual([]);
});
