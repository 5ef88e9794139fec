import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { changeStoredLists } from '#src/parts/lists/thread/work-on-lists.ts';
import { reload } from '#test/support/reload.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

type ListRead = Extract<ListChange, { items: unknown }>;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const imported = (list: string, text: string, more: Pick<Partial<ListRead>, 'action' | 'weight'> = {}): ListChange => ({
  ...{
    what: 'import',
    list,
    action: null,
    source: `${list}.txt`,
    expiresAtMs: null,
    items: readListFile(bytesOf(text)),
  },
  ...more,
});

test('a running service applies changed lists, and keeps the previous ones if they are unreadable', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--admin-listen', '127.0.0.1:0']);
  const codesOf = async (url: string) => {
    const { decision, analysis_details: details } = await service.result(url);
    return [decision, ...details.reasons.map(({ code }) => code).filter((code) => code.startsWith('lists.'))];
  };
  expect(await codesOf('https://www.evil.example/')).not.toContain('lists.kept_blocked');
  await changeStoredLists(directory.path, 'operator', [
    imported('feed', 'evil.example\nhttps://good.example/kit'),
    imported('ours', 'good.example', { action: 'allow' }),
    imported('hints', 'odd.example', { weight: 1 }),
  ]);
  await untilSeen('lists.reread', () => service.events().some(({ event }) => event === 'lists.reread'));
  expect(await codesOf('https://www.evil.example/')).toEqual(['block', 'lists.kept_blocked']);
  expect(await codesOf('https://good.example/')).toEqual(['allow', 'lists.kept_allowed']);
  expect(await codesOf('https://good.example/kit/x')).toEqual(['block', 'lists.kept_blocked', 'lists.overruled_allow']);
  expect(await codesOf('https://odd.example/')).toContain('lists.suspected');
  const { lists } = (await (await fetch(`${service.url}/api/about`)).json()) as { lists: object[] };
  expect(lists).toMatchObject([
    { name: 'feed', action: 'block', entries: 2 },
    { name: 'hints', action: 'block', entries: 1 },
    { name: 'ours', action: 'allow', entries: 1 },
  ]);
  const metrics = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).text();
  expect(metrics).toContain('lurecheck_list_entries{list="feed",action="block"} 2');
  expect(metrics).toMatch(/lurecheck_list_changed_timestamp_seconds\{list="feed",action="block"\} \d/);

  writeFileSync(stateFileIn(directory.path), '{');
  await untilSeen('lists.kept', () => service.events().some(({ event }) => event === 'lists.kept'));
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({
    notices: ['The lists cannot be read: the previous ones stay active.'],
  });
  // What is sound is taken up beside them.
  expect(await reload(service)).toMatchObject({ event: 'settings.reread' });
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({
    notices: ['The lists cannot be read: the previous ones stay active.'],
  });
  expect(await codesOf('https://www.evil.example/')).toEqual(['block', 'lists.kept_blocked']);
});
