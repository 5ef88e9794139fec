import { expect, test } from 'bun:test';
import { findTopic } from '#src/service/manual/find-topic.ts';
import { WRITTEN } from './written-manual.ts';

test('finds a part of the manual by its former name', () => {
  expect(findTopic('watching')).toBe(WRITTEN.get('monitoring') ?? '');
  expect(findTopic('teaching')).toBe(WRITTEN.get('tuning') ?? '');
});

test('finds a part of the manual by its name, and an alert by its name in any letter case', () => {
  expect(findTopic('alerts')).toBe(WRITTEN.get('alerts') ?? '');
  for (const name of ['LurecheckStalls', 'lurecheckstalls']) {
    const found = findTopic(name);
    expect(found).toStartWith('## LurecheckStalls\n\n');
    expect(found?.match(/^## /gm)?.length).toBe(1);
  }
  expect(['LurecheckNothing', '', 'Stalls', '#'].map(findTopic)).toEqual([null, null, null, null]);
});
