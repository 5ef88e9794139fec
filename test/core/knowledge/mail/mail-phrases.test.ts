import { expect, test } from 'bun:test';
import { mailPhrases } from '#src/core/knowledge/mail/mail-phrases.ts';

test('joins the parts of a story from subject and text, and keeps the name of the sender out of it', () => {
  const { headLures, textLures, schemes } = mailPhrases(
    'Please buy gift cards',
    'Your account is suspended',
    'Scratch the codes and send them. Your parcel could not be delivered.',
  );
  expect([...headLures.keys()]).toContain('account');
  expect(textLures.get('parcel')).toBe('parcel could not be delivered');
  expect([...(schemes.get('gift_cards')?.keys() ?? [])]).toEqual(expect.arrayContaining(['buy', 'codes']));
  expect(mailPhrases('', 'Please buy gift cards', '').schemes.size).toBe(0);
});
