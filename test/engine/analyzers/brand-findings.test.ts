import { expect, test } from 'bun:test';
import { foreignSuffixValue } from '#src/engine/analyzers/brand-findings.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';

const suffixValue = (url: string) => {
  const { host } = targetOf(url);
  const [match] = knowledge.brandMatcher.find(targetOf(url));
  return match ? foreignSuffixValue(match, host.suffix, knowledge) : Number.NaN;
};

test('the value of a brand name without other signals is higher under a suffix that is unlikely for the brand', () => {
  for (const url of ['netflix.top', 'paypal.cc', 'facebook.club', 'roblox.ly', 'spotify.gifts', 'dropbox.quest']) {
    expect([url, suffixValue(url)]).toEqual([url, 1]);
  }
  const [second = 0, classic = 0, country = 0] = ['netflix.com.ug', 'netflix.org', 'roblox.de'].map(suffixValue);
  expect(second).toBeGreaterThan(country);
  expect(classic).toBeGreaterThan(country);
  expect(country).toBeGreaterThan(0);
});

test('an ordinary word has a value only under a cheap suffix, and an abbreviation only for a prominent brand', () => {
  expect(suffixValue('discord.gifts')).toBeGreaterThan(0.5);
  expect(suffixValue('dhl.top')).toBeGreaterThan(0.5);
  for (const url of ['orange.example', 'target.de', 'delta.org', 'dkb.is'])
    expect([url, suffixValue(url)]).toEqual([url, 0]);
});
