import { expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { lurecheck } from '#test/support/executable.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const KIT = '/gykolrhup/start';

/** Checks the kit on a made-up host of its own, for a client of a network of its own, and gives the codes of the answer. */
async function show(service: Service, index: number, isPrivate = false) {
  const response = await fetch(`${service.url}/api/check-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${index}.7` },
    body: JSON.stringify({ url: `http://secure-login-verify${index}.top${KIT}`, private_mode: isPrivate }),
  });
  const { analysis_details: details, request_id: id } = (await response.json()) as CheckResult;
  return {
    id,
    codes: details.reasons.filter(({ component }) => component === 'lists').map(({ code }) => code),
    score: details.individual_scores.lists,
    isMissing: details.unavailable.some(({ component }) => component === 'lists'),
  };
}

const NOTHING = { codes: [], score: null, isMissing: true };

test('with `campaigns`, public checks count only for later public checks, and private checks are ignored', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--campaigns', 'true', '--trusted-proxy', '127.0.0.0/8']);
  for (let index = 0; index < 5; index++) expect(await show(service, index, true)).toMatchObject(NOTHING);
  for (let index = 10; index < 13; index++) {
    expect(await show(service, index)).toMatchObject({ codes: [], score: 0.5, isMissing: false });
  }
  expect(await show(service, 20, true)).toMatchObject(NOTHING);
  const told = await show(service, 21);
  expect(told).toMatchObject({ codes: ['lists.path_elsewhere'], isMissing: false });

  const { stdout } = await lurecheck(['log', '--data-dir', directory.path, '--format', 'json', '--id', told.id]);
  const kept = JSON.parse(stdout) as CheckResult;
  const reason = kept.analysis_details.reasons.find(({ code }) => code === 'lists.path_elsewhere');
  expect(reason?.args).toEqual({ sites: 3, day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
});

test('without `campaigns`, sightings are not stored', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--trusted-proxy', '127.0.0.0/8']);
  for (let index = 0; index < 6; index++) expect(await show(service, index)).toMatchObject(NOTHING);
});
