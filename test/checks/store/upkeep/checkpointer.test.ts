import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import type { FileTask } from '#src/checks/store/upkeep/file-thread.ts';
import { createCheckpointer } from '#src/checks/store/upkeep/maintenance.ts';
import { createLogger } from '#src/core/base/logger.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function checkpointed() {
  const tasks: FileTask[] = [];
  const answer = { problem: null, code: null, walPages: 1, residue: null, extent: null, rows: null };
  const thread = {
    run: (task: FileTask) => {
      tasks.push(task);
      return Promise.resolve(answer);
    },
  };
  const logger = createLogger('warn', () => {});
  return { tasks, ...createCheckpointer(thread, logger, (_path, work) => work()) };
}

test('few commits are checkpointed together after 5 seconds, many after half a second', () => {
  const { tasks, written } = checkpointed();
  for (let commit = 0; commit < 63; commit++) written('few.sqlite');
  jest.advanceTimersByTime(4999);
  expect(tasks).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(tasks).toEqual([{ kind: 'checkpoint', path: 'few.sqlite' }]);
  for (let commit = 0; commit < 64; commit++) written('many.sqlite');
  jest.advanceTimersByTime(500);
  expect(tasks.slice(1)).toEqual([{ kind: 'checkpoint', path: 'many.sqlite' }]);
});

test('earlier commits are checkpointed with many later ones of another file', () => {
  const { tasks, written } = checkpointed();
  written('one.sqlite');
  jest.advanceTimersByTime(1000);
  for (let commit = 0; commit < 64; commit++) written('many.sqlite');
  jest.advanceTimersByTime(500);
  expect(tasks).toHaveLength(2);
});
