import { expect, test } from 'bun:test';
import { run } from '#src/interfaces/cli/index.ts';
import { openLog } from '#test/checks/store/open-log.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { silentIo } from '#test/support/silent-io.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('log shows and exports the messages of one log, and records an export of private ones', async () => {
  await using directory = temporaryDirectory();
  const [older, newer] = [0, 1].map((atMs) => sampleMessage({ atMs, decision: atMs === 0 ? 'block' : 'warn' }));
  const hidden = sampleMessage({ visibility: 'private', client: 'a client' });
  {
    await using log = await openLog(directory.path);
    for (const message of [older, newer, hidden]) if (message) await log.messages.append(message);
  }
  const ask = async (...words: string[]) => {
    const io = silentIo();
    const code = await run(['log', ...words, '--kind', 'message', '--data-dir', directory.path], io);
    return { code, output: io.output(), errors: io.errors() };
  };
  const idsOf = async (...words: string[]) =>
    JSON.parse((await ask(...words, '--format', 'json')).output).map((one: { request_id: string }) => one.request_id);
  expect(await idsOf()).toEqual([newer?.request_id, older?.request_id]);
  expect(await idsOf('--limit', '1')).toEqual([newer?.request_id]);
  expect(await idsOf('--decision', 'block')).toEqual([older?.request_id]);
  expect(await idsOf('--from', '1970-01-02')).toEqual([]);
  expect(await idsOf('--private')).toEqual([hidden.request_id]);
  const one = await ask('--id', older?.request_id ?? '');
  expect([one.code, one.output]).toEqual([0, expect.stringContaining('BLOCK  70.0 %  via api  2 links, 1 unchecked')]);
  expect((await ask('--id', hidden.request_id)).code).toBe(1);
  for (const refused of [['--domain', 'a.example'], ['--follow'], ['export', '--format', 'stix'], ['export']])
    expect([refused, (await ask(...refused)).code]).toEqual([refused, 2]);
  const lines = (await ask('export', '--format', 'ndjson')).output.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['message', 'message']);
  const table = await ask('export', '--private', '--format', 'csv');
  expect(table.output.split('\r\n')[1]).toContain(`,${hidden.request_id},sender.brand_in_name,message-1,true,`);
  await using log = await openLog(directory.path, { access: 'read' });
  expect(log.exports.all().map(({ format, checks }) => [format, checks])).toEqual([['csv', 1]]);
});

test('check --message --record logs the message beside the checks of its links', async () => {
  await using directory = temporaryDirectory();
  const mail = `${directory.path}/mail.eml`;
  await Bun.write(mail, 'From: a@club.example\r\nSubject: Friday\r\n\r\nSee you at https://example.com/ at eight.\r\n');
  const ask = async (...words: string[]) => {
    const io = silentIo();
    await run([...words, '--data-dir', directory.path], io);
    return io.output();
  };
  await ask('check', '--network', 'none', '--record', 'private', '--message', mail);
  const [links, [message]] = [
    JSON.parse(await ask('log', '--private', '--format', 'json')),
    JSON.parse(await ask('log', '--private', '--format', 'json', '--kind', 'message')),
  ];
  expect([message.via, message.decision, message.link_count, message.unchecked]).toEqual(['cli', 'allow', 2, 0]);
  expect(message.links.toSorted()).toEqual(links.map((one: { request_id: string }) => one.request_id).toSorted());
  expect(await ask('log', '--format', 'json', '--kind', 'message')).toBe('[]\n');
});
