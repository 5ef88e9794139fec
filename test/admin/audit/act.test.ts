import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { effectOf, type OperatorAct, perform, withDraft } from '#src/admin/audit/act.ts';
import { auditFileIn } from '#src/admin/audit/audit-log.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { service: 'test' };

/** An act that notes each step. */
function noted(
  steps: string[],
  commit: () => Promise<string> = async () => 'done',
): OperatorAct<string, string, string> {
  return {
    ...{ name: 'test.act', scope: 'lists', input: null, files: ['lists'] },
    async prepare(input) {
      steps.push(`prepare ${input}`);
      return `draft of ${input}`;
    },
    audit: (draft) => ({ subject: draft, detail: { size: draft.length } }),
    async commit(draft) {
      steps.push(`commit ${draft}`);
      return await commit();
    },
    async discard(draft) {
      steps.push(`discard ${draft}`);
    },
  };
}

test('an act is prepared, recorded, and committed within a change of its files', async () => {
  await using directory = temporaryDirectory();
  const steps: string[] = [];
  const place = {
    ...ownPlace(directory.path),
    async change<T>(files: readonly string[], work: () => Promise<T>) {
      steps.push(`change ${files.join()}`);
      return await work();
    },
  };
  expect(await perform(noted(steps), place, BY, 'a')).toBe('done');
  expect(steps).toEqual(['prepare a', 'change lists', 'commit draft of a']);
  expect(auditLines(directory.path)).toEqual([{ action: 'test.act', subject: 'draft of a', detail: { size: 10 } }]);
});

test('a draft that is shown and not committed is discarded, and leaves no record', async () => {
  await using directory = temporaryDirectory();
  const steps: string[] = [];
  const shown = await withDraft(noted(steps), ownPlace(directory.path), 'a', async (draft) => draft);
  expect([shown, steps]).toEqual(['draft of a', ['prepare a', 'discard draft of a']]);
  expect(await Bun.file(auditFileIn(directory.path)).exists()).toBe(false);
});

test('an act that fails is recorded as failed, and its draft is discarded', async () => {
  await using directory = temporaryDirectory();
  const steps: string[] = [];
  const act = noted(steps, () => Promise.reject(new Error('no room')));
  await expect(perform(act, ownPlace(directory.path), BY, 'a')).rejects.toThrow('no room');
  expect(steps).toEqual(['prepare a', 'commit draft of a', 'discard draft of a']);
  expect(auditLines(directory.path).map(({ action }) => action)).toEqual(['test.act', 'test.act.failed']);
});

test('an act that cannot be recorded is not committed', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(auditFileIn(directory.path), 'no line\n');
  const steps: string[] = [];
  const failed = perform(noted(steps), ownPlace(directory.path), BY, 'a');
  await expect(failed).rejects.toMatchObject({ errorCode: 'audit_damaged' });
  expect(steps).toEqual(['prepare a', 'discard draft of a']);
});

test('an act that replaces the audit log is recorded after its commit, and not if it fails', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const steps: string[] = [];
  const restoring = (fails: boolean) => ({
    ...noted(steps, async () => {
      expect(await Bun.file(auditFileIn(directory.path)).exists()).toBe(false);
      if (fails) throw new Error('no room');
      return 'done';
    }),
    isRecordedAfter: true,
  });
  await expect(perform(restoring(true), place, BY, 'a')).rejects.toThrow('no room');
  expect(steps.at(-1)).toBe('discard draft of a');
  expect(await perform(restoring(false), place, BY, 'a')).toBe('done');
  expect(auditLines(directory.path)).toEqual([{ action: 'test.act', subject: 'draft of a', detail: { size: 10 } }]);
});

test('the effect of an act is shown of its draft, which is discarded', async () => {
  await using directory = temporaryDirectory();
  const steps: string[] = [];
  const act = { ...noted(steps), preview: async (draft: string) => `effect of ${draft}` };
  expect(await effectOf(act, ownPlace(directory.path), 'a')).toBe('effect of draft of a');
  expect(steps).toEqual(['prepare a', 'discard draft of a']);
  const failing = { ...act, preview: () => Promise.reject(new Error('no room')) };
  await expect(effectOf(failing, ownPlace(directory.path), 'b')).rejects.toThrow('no room');
  expect(steps.slice(2)).toEqual(['prepare b', 'discard draft of b']);
});
