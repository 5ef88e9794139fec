import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { beginningIn } from '#src/checks/record/reasons/explain.ts';
import { argsInSentence } from '#src/checks/record/stored-result.ts';
import { COUNTED, REASONS } from '#src/engine/reasons/catalogue.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';
import { parseAs } from '#test/support/parse-as.ts';

const Args = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

/** The first row that came when reasons were data. */
const FIRST_LATER = 153;

/** Code, args and message of reasons as answers had them when analyzers wrote sentences: one of each kind, and each way to a URL. */
const GOLDEN = parseAs(
  Type.Array(Type.Tuple([Type.String(), Args, Type.String()])),
  await Bun.file(`${import.meta.dir}/golden.json`).json(),
);

test('the args of a reason give the sentence of the analyzer, unless it was reworded', () => {
  const reworded = new Set<string>();
  for (const [code, args, message] of GOLDEN) {
    const sentence = beginningIn(args) + sentenceOf({ code, args });
    expect(argsInSentence(code, sentence)).toEqual(args);
    if (sentence !== message) reworded.add([code, args['kind']].filter(Boolean).join(' '));
  }
  expect([...reworded].toSorted()).toEqual([
    ...['brand.name_on_platform', 'brand.other_suffix', 'brand.taught_domain', 'brand.taught_imitated name'],
    ...['page.looks_for_bots', 'page.not_seen_whole', 'url.address user_name', 'url.address_as_host'],
    ...['url.login_words both', 'url.login_words host', 'url.login_words path'],
    ...['url.name address', 'url.name phishing_like', 'url.subdomain many_parts'],
  ]);
});

test('the args are extracted from a sentence of an old record', () => {
  for (const [code, args, message] of GOLDEN) expect(argsInSentence(code, message)).toEqual(args);
});

test('the examples cover each row that stored records refer to', () => {
  const seen = new Set(GOLDEN.map(([code, { kind }]) => `${code} ${kind}`));
  const stored = REASONS.filter(([number]) => number < FIRST_LATER);
  const rows = new Set(stored.map(([, code, , kind]) => `${code} ${kind}`));
  // Its sentence was taken for the one with a name in it, which was wrong.
  expect(rows.difference(seen)).toEqual(new Set(['brand.taught_imitated page']));
  const counted = new Set(
    GOLDEN.flatMap(([, args]) => Object.keys(args).filter((gap) => typeof args[gap] === 'number')),
  );
  expect(counted.difference(new Set<string>(COUNTED))).toEqual(new Set());
});
