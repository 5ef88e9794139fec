import { entryOf, unreadEntryOf } from './entries.ts';

const at = (minute: number) => Date.UTC(2026, 0, 31, 12, minute);

/** Checks, newest first, of everything that a URL may hold and a pattern, a URI or JSON may not. */
export const SUSPICIOUS = [
  'http://a.example/quote\'s/back\\slash?q="<>|{}[]^`%zz#part',
  'http://front.example/',
  'http://192.0.2.7/',
  'http://[2001:db8::7]:8080/login',
  'http://_underscore.a.example/x',
  'https://user:secret@masked.example/reset?token=8f14e45fceea167a5a36dedd4bea2543&next=a.b(c)',
  'https://xn--bcher-kva.example/?q=\u202eevil\u2028',
  'http://front.example/',
].flatMap((url, index) =>
  (['block', 'warn'] as const).map((decision) =>
    entryOf({
      url: `${url}${index === 7 ? '' : decision === 'warn' ? '&w' : ''}`,
      atMs: at(30 - index),
      result: { decision, malicious_probability: decision === 'block' ? 0.9876 : 0.5 },
      details: {
        reasons: [
          { component: 'url', code: 'url.suffix', message: 'Speaks "for"\u202e it\n', args: {}, weight: 2 },
          { component: 'brand', code: 'brand.name', message: 'against it', args: {}, weight: -3 },
        ],
      },
    }),
  ),
);

/** What an export of suspects leaves out, and what it knows little of. */
export const REST = [
  entryOf({ url: 'http://allowed.example/' }),
  unreadEntryOf({ url: 'http://unread.example/a', result: { decision: 'block', malicious_probability: 1 } }),
];
