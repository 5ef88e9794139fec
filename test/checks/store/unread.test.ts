import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

/** What happens to a record, and what is said of it then. */
const HARMS = [
  ['of an unknown version', "x'09'", 'it has the unknown version 9'],
  ['cut', 'substr(record, 1, length(record) - 3)', 'it is cut short'],
  ['with a foreign code', "x'010effff7f'", 'it has an unknown reason'],
  ['empty', 'zeroblob(0)', 'it is cut short'],
  ['that holds something else', "x'0100'", 'it is not a result'],
] as const;

async function withHarmed(harm: string, use: (dataDir: string, id: string) => Promise<void>): Promise<void> {
  await using directory = temporaryDirectory();
  const records = Array.from({ length: 5 }, (_, i) => sampleRecord({ url: `https://n${i}.example/`, atMs: i }));
  {
    await using log = await openLog(directory.path);
    for (const record of records) await log.append(record);
  }
  {
    using database = new Database(`${directory.path}/public.sqlite`);
    database.run(`update checks set ${harm} where id = 3`);
  }
  await use(directory.path, records[2]?.result.request_id ?? '');
}

test.each(HARMS)('reports a record %s as unreadable, without hiding others', (_, record, unreadable) =>
  withHarmed(`record = ${record}`, async (dataDir, id) => {
    await using log = await openLog(dataDir);
    const entries = (await Array.fromAsync(log.read('public', EVERY_CHECK))).map(({ result }) => result);
    expect(entries.map(({ url }) => url)).toEqual([4, 3, 2, 1, 0].map((i) => `https://n${i}.example/`));
    expect(entries[2]).toEqual({
      url: 'https://n2.example/',
      malicious_probability: 0.02,
      decision: 'allow',
      analysis_details: null,
      unreadable,
      timestamp: '1970-01-01T00:00:00.002Z',
      request_id: id,
    });
    expect(entries.filter(({ analysis_details }) => analysis_details === null)).toHaveLength(1);
    expect((await log.page({ ...EVERY_CHECK, limit: 50, cursor: null })).items).toHaveLength(5);
    expect((await log.find('public', id))?.result).toMatchObject({ unreadable });
    expect(await log.purge('public', 10)).toBe(5);
  }),
);

test('reports a record whose settings are missing as unreadable', () =>
  withHarmed('in_force = 77', async (dataDir, id) => {
    await using log = await openLog(dataDir, { access: 'read' });
    expect((await log.find('public', id))?.result).toMatchObject({ unreadable: 'the active settings cannot be read' });
  }));
