import { createRandom, type Random } from './random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const TOKEN = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}-_`;

const SITES = [
  ...['www.amazon.com', 'www.ebay.co.uk', 'www.zalando.de', 'shop.lidl.pl', 'www.booking.com', 'www.airbnb.fr'],
  ...['www.bbc.co.uk', 'www.nytimes.com', 'www.lemonde.fr', 'www.spiegel.de', 'edition.cnn.com', 'www3.nhk.or.jp'],
  ...['github.com', 'stackoverflow.com', 'docs.python.org', 'en.wikipedia.org', 'medium.com', 'www.reddit.com'],
  ...['outlook.live.com', 'login.microsoftonline.com', 'accounts.google.com', 'www.paypal.com', 'www.dhl.de'],
];
const SERVICES = [
  ...['{w}.blogspot.com', '{w}.github.io', '{w}.pages.dev', '{w}.weebly.com', '{w}.myshopify.com', '{w}.netlify.app'],
  ...['{w}.sharepoint.com', '{w}.s3.amazonaws.com', '{w}.web.app', '{w}.zendesk.com', '{w}.wixsite.com'],
];
const SUFFIXES = [
  'com',
  'de',
  'co.uk',
  'org',
  'net',
  'fr',
  'it',
  'com.br',
  'info',
  'shop',
  'app',
  'xyz',
  'online',
  'jp',
];
const WORDS = [
  ...['garden', 'river', 'bakery', 'stone', 'market', 'travel', 'school', 'health', 'studio', 'motor', 'light'],
  ...['north', 'green', 'smith', 'family', 'photo', 'news', 'sport', 'design', 'wine', 'book', 'city', 'cloud'],
];
const SECTIONS = [
  'news',
  'blog',
  'products',
  'category',
  'help',
  'account',
  'article',
  'events',
  'de',
  'en',
  'shop',
  'media',
];
const BRANDS = [
  'paypal',
  'amazon',
  'microsoft',
  'netflix',
  'dhl',
  'apple',
  'sparkasse',
  'office365',
  'coinbase',
  'hsbc',
];
const LURES = ['login', 'secure', 'verify', 'account', 'update', 'billing', 'support', 'confirm', 'signin', 'wallet'];

/** Makes a URL of one kind. */
type Kind = (random: Random) => string;

const exactly = (random: Random, length: number, alphabet: string) =>
  Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
const name = (random: Random) => `${random.pick(WORDS)}${random.pick(['', '-', ''])}${random.pick(WORDS)}`;
const site = (random: Random) => `${random.pick(['www.', '', 'shop.', 'm.'])}${name(random)}.${random.pick(SUFFIXES)}`;
const host = (random: Random) =>
  random.pick([
    () => random.pick(SITES),
    () => random.pick(SERVICES).replace('{w}', name(random)),
    () => site(random),
    () => site(random),
  ])();
const slug = (random: Random) => Array.from({ length: 2 + random.below(5) }, () => random.pick(WORDS)).join('-');
const path = (random: Random) => `${random.pick(SECTIONS)}/${slug(random)}`;

/** Kinds of URLs that people have checked; a kind that is named twice is twice as frequent. */
const KINDS: readonly Kind[] = [
  (random) => `https://${host(random)}/`,
  (random) => `https://${host(random)}/${path(random)}`,
  (random) => `https://${host(random)}/${path(random)}`,
  (random) => `https://${host(random)}/${path(random)}-${exactly(random, 7, DIGITS)}.html`,
  (random) =>
    `https://${host(random)}/p/${exactly(random, 6, DIGITS)}?color=${random.pick(WORDS)}&size=${random.below(50)}`,
  (random) => `https://${host(random)}/search?q=${slug(random).replaceAll('-', '+')}&page=${random.below(9)}`,
  (random) =>
    `https://${host(random)}/${path(random)}?utm_source=mail&utm_medium=news&utm_campaign=${random.pick(WORDS)}`,
  (random) =>
    `https://mail.${site(random)}/c/${exactly(random, 24, TOKEN)}?e=${exactly(random, 32, HEX)}&u=${random.below(9999)}`,
  (random) => `https://click.${site(random)}/?qs=${exactly(random, 64, HEX)}`,
  (random) =>
    `https://${host(random)}/reset?token=${exactly(random, 40, TOKEN)}&email=${random.pick(WORDS)}%40example.com`,
  (random) => `https://drive.google.com/file/d/${exactly(random, 33, TOKEN)}/view?usp=sharing`,
  (random) => `https://${host(random)}/redirect?url=https%3A%2F%2F${site(random)}%2F${random.pick(SECTIONS)}`,
  (random) =>
    `https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2F${site(random)}%2F&data=${exactly(random, 20, TOKEN)}`,
  (random) => `https://bit.ly/${exactly(random, 7, TOKEN)}`,
  (random) => `http://${site(random)}:8080/${random.pick(SECTIONS)}/index.php?id=${random.below(999)}`,
  (random) =>
    `http://${[10 + random.below(200), random.below(256), random.below(256), 1 + random.below(250)].join('.')}/${random.pick(SECTIONS)}`,
  (random) => `http://${random.pick(BRANDS)}-${random.pick(LURES)}.${site(random)}/${random.pick(LURES)}`,
  (random) =>
    `https://${random.pick(LURES)}-${exactly(random, 8, LETTERS)}.${random.pick(['cyou', 'top', 'xyz', 'icu'])}/${random.pick(BRANDS)}/${random.pick(LURES)}.php`,
  (random) =>
    `https://${random.pick(BRANDS)}.${random.pick(LURES)}.${site(random)}/?session=${exactly(random, 32, HEX)}`,
  (random) => `https://${random.pick(SERVICES).replace('{w}', `${random.pick(BRANDS)}-${random.pick(LURES)}`)}/`,
  (random) => `https://xn--mnchen-3ya.${random.pick(SUFFIXES)}/${path(random)}`,
  (random) =>
    `https://${host(random)}/${encodeURIComponent(random.pick(['Straße', 'пример', 'カタログ', 'café']))}/${exactly(random, 5, DIGITS)}`,
];

/** Returns a URL of the kinds that people have checked. The same number gives the same URL, in every version. */
export function ordinaryUrl(n: number): string {
  const random = createRandom(n);
  // Numbers that follow each other give like states at first.
  random.next();
  return random.pick(KINDS)(random);
}
