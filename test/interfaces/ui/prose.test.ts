import { expect, test } from 'bun:test';
import { isProse } from '#src/interfaces/ui/check/intake/prose.ts';

test.each([
  "Hi, it's me. I can't talk: I'm in a meeting. Please buy gift cards (5 x $100).",
  "Bonjour, c'est moi. J'ai besoin d'un service : peux-tu acheter des cartes ?",
  '至急、アップルギフトカードを購入し、コードを写真で送ってください。',
  '您好，您的账户已被冻结，请立即验证您的身份信息，否则将被关闭。',
  'مرحبا، أنا المدير؛ هل يمكنك شراء بطاقات هدايا الآن؟ أحتاجها اليوم',
  'नमस्ते, मैं आपका बॉस हूँ, कृपया अभी गिफ्ट कार्ड खरीदें और कोड भेजें',
])('%s is the text of a message', (text) => {
  expect(isProse(text)).toBe(true);
});

test.each([
  'https://a.example/x\nhttps://b.example/y\nexample.com foo.example bar.example a.b.example c.example d.example',
  '2026-11-28 10:00:00 GET https://a.example/ 200 12\n2026-11-28 10:00:01 GET https://b.example/ 200 12',
  'is this phishing? https://a.example/',
])('%s is not', (text) => {
  expect(isProse(text)).toBe(false);
});
