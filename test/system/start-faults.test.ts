import { expect, test } from 'bun:test';
import { runOnSmallDisk } from './small-disk.ts';

test('a service that cannot start reports the cause, the file, and a solution', async () => {
  const report = await runOnSmallDisk('start-faults-inside.ts', '40m');
  const says = (matter: RegExp) => ({ exitCode: 1, stderr: expect.stringMatching(matter) });
  expect(report).toEqual({
    'lock unreadable': says(
      /\/used\/serve\.lock cannot be opened .* disk reports an error \(SQLITE_IOERR_LOCK\)\. .+\.\n$/,
    ),
    'log unreadable': says(
      /\/used\/public\.sqlite cannot be opened .* disk reports an error \(SQLITE_IOERR\w+\)\. .+\.\n$/,
    ),
    'shared memory refused': says(
      /\/used\/public\.sqlite cannot be opened .* disk reports an error \(SQLITE_IOERR_SHM\w+\)\. .+\.\n$/,
    ),
    full: says(/\/new\/public\.sqlite cannot be opened .* disk is full \(\w+\)\. Free disk space, .+\.\n$/),
    'read-only': says(/\/used\/serve\.lock cannot be opened .* file system is read-only \(EROFS\)\. .+\.\n$/),
    'read-only, new': says(/directory .*\/newer cannot be created: the file system is read-only\. .+\.\n$/),
  });
});
