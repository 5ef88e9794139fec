import { expect, test } from 'bun:test';
import { findTopic } from '#src/service/manual/find-topic.ts';
import { WRITTEN } from './written-manual.ts';

test('a part is found by its name, and an alert by its own, however that is written', () => {
  expect(findTopic('alerts')).toBe(WRITTEN.get('alerts') ?? '');
  for (const name of ['LurecheckStalls', 'lurecheckstalls']) {
    const found = findTopic(name);
    expect(found).toStartWith('## LurecheckStalls\n\n');
    expect(found?.match(/^## /gm)?.length).toBe(1);
  }
  expect(['LurecheckNothing', '', 'Stalls', '#'].map(findTopic)).toEqual([null, null, null, null]);
});
