import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { openLog } from './open-log.ts';

/** All that can be read out of the logs of a data directory, and what is told of their losses. */
export async function logContents(dataDir: string) {
  await using log = await openLog(dataDir);
  return {
    public: await Array.fromAsync(log.read('public', EVERY_CHECK)),
    private: await Array.fromAsync(log.read('private', EVERY_CHECK)),
    days: (await log.stats()).days,
    found: (await log.page({ ...EVERY_CHECK, limit: 50, cursor: null, text: null, domain: 'example.com' })).items,
    notices: log.notices(),
  };
}
