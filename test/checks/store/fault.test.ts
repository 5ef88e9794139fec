import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { asStoreError, faultOf, systemProblem } from '#src/checks/store/file/fault.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

const failure = (code: string) => Object.assign(new Error('as the platform says it'), { code });

test.each([
  ['ENOENT', 'not_found', 'No log at /data/log'],
  ['ENOSPC', 'disk_full', 'the disk is full'],
  ['SQLITE_FULL', 'disk_full', 'the disk is full'],
  ['SQLITE_IOERR_SHMSIZE', 'io_error', 'the disk reports an error (SQLITE_IOERR_SHMSIZE)'],
  ['EDQUOT', 'disk_full', 'the disk quota of this user is exhausted'],
  ['EFBIG', 'file_too_large', 'the file has reached the size limit of this process'],
  ['EROFS', 'read_only', 'the file system is read-only'],
  ['EACCES', 'not_accessible', 'permission denied'],
  ['EPERM', 'not_accessible', 'permission denied'],
  ['SQLITE_CANTOPEN', 'not_accessible', 'permission denied'],
  ['SQLITE_READONLY_DIRECTORY', 'not_accessible', 'permission denied'],
  ['EISDIR', 'not_accessible', 'the path is not a regular file or folder'],
  ['EIO', 'io_error', 'the disk reports an error (EIO)'],
  ['SQLITE_IOERR_WRITE', 'io_error', 'the disk reports an error (SQLITE_IOERR_WRITE)'],
  ['SQLITE_IOERR_CORRUPTFS', 'io_error', 'the disk reports an error'],
  ['SQLITE_BUSY', 'busy', 'another process has locked it'],
  ['SQLITE_NOTADB', 'not_a_database', 'file is not a database'],
  ['SQLITE_CORRUPT_INDEX', 'damaged', '/data/log is damaged'],
] as const)('%s is reported as %s', (code, expected, sentence) => {
  const error = asStoreError('/data/log', failure(code));
  expect(error).toMatchObject({ code: expected });
  expect(String(error)).toContain('/data/log');
  expect(String(error)).toContain(sentence);
  expect(String(error)).toMatch(/[.:] [A-Z][^.]+\.$/);
  expect(faultOf(new Error('wrapped', { cause: failure(code) }))?.code).toBe(expected);
});

test('returns other errors unchanged', () => {
  for (const error of [failure('SQLITE_CONSTRAINT_UNIQUE'), new TypeError('x is undefined'), 'text']) {
    expect(faultOf(error)).toBeNull();
    expect(asStoreError('/data/log', error)).toBe(error);
  }
});

test.each([
  ['a folder', (path: string) => void mkdirSync(path), 'not_accessible'],
  ['text', (path: string) => writeFileSync(path, 'no database '.repeat(99)), 'damaged'],
])('%s at the path of the lock is not reported as another server', async (_, occupy, code) => {
  await using directory = temporaryDirectory();
  occupy(`${directory.path}/serve.lock`);
  await expect(openLog(directory.path)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(`${directory.path}/serve.lock`),
  });
});

test.each([
  ['ENOSPC', 'the disk is full (ENOSPC)'],
  ['EDQUOT', 'the disk quota of this user is exhausted (EDQUOT)'],
  ['EROFS', 'the file system is read-only (EROFS)'],
  ['EIO', 'the disk reports an error (EIO)'],
  ['ENOENT', null],
  ['EACCES', null],
])('%s of any file is a problem of its disk: %s', (code, matter) => {
  expect(systemProblem(failure(code))?.matter ?? null).toBe(matter);
});

test('what is said already is not said again', () => {
  expect(systemProblem(asStoreError('/data/log', failure('ENOSPC')))).toBeNull();
});
