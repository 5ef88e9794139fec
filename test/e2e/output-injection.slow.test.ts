import { describe, expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import vectors from '#test/vectors/output-injection.json' with { type: 'json' };

const PAYLOADS = vectors.vectors.map(({ payload }) => payload);
/** What a terminal, an editor or a log viewer would obey or hide instead of showing it. */
const UNSHOWN = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200d\ufeff\u{e0000}-\u{e007f}]/u;

describe('hostile text in a URL', () => {
  test('produces one line per event in the process log, without invisible characters', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ['--log-level', 'debug']);
    let checked = 0;
    for (const payload of PAYLOADS) {
      const response = await service.check(`http://example.com/${payload}`);
      // One payload is longer than a body may be.
      expect([payload.slice(0, 80), [200, 400, 413].includes(response.status)]).toEqual([payload.slice(0, 80), true]);
      if (response.status === 200) checked++;
    }
    await service.stop();
    const names = service.events().map(({ event }) => event);
    expect(names.filter((name) => name === 'check.done').length).toBe(checked);
    expect(names.filter((name) => name !== 'check.done')).toEqual([
      'server.listening',
      'log.bounds',
      'server.stopping',
    ]);
    expect(UNSHOWN.exec(service.output.stdout + service.output.stderr)?.[0]).toBeUndefined();
  });

  const inputs = [
    ...PAYLOADS.filter((payload) => !/[\r\n]/.test(payload)).map((payload) => `http://example.com/?q=${payload}`),
    // What no sender of a URL needs, and a terminal would obey.
    'http://example.com/\u009b2J\u0085\u202e\u2028\u2066\ufeff\u{e0041}',
    '\u202e\u009b is no URL',
  ];
  const stdin = inputs.map((url) => `${url}\n`).join('');
  const formats = ['text', 'json', 'ndjson', 'tsv'] as const;

  test.each(formats)('is escaped in the %s output of check and log', async (format) => {
    await using directory = temporaryDirectory();
    const check = ['check', '--network', 'none', '--record', 'public', '--data-dir', directory.path];
    const checked = await lurecheck([...check, '--format', format, '-'], { stdin });
    expect(UNSHOWN.exec(checked.stdout)?.[0]).toBeUndefined();
    const logged = await lurecheck(['log', '--data-dir', directory.path, '--format', format]);
    expect(UNSHOWN.exec(logged.stdout)?.[0]).toBeUndefined();
    expect(logged.stdout.length).toBeGreaterThan(1000);
  });

  test('is unchanged after the JSON of check is parsed', async () => {
    const checked = await lurecheck(['check', '--network', 'none', '--format', 'ndjson', '-'], { stdin });
    const rows = checked.stdout.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).url)).toEqual(inputs.map((url) => url.toWellFormed().trim()));
  });

  test('stays in its column and row of tsv, and cannot start a formula', async () => {
    const formulas = ['=HYPERLINK("http://evil.example/")', '+1+1', '-2+3', '@SUM(A1)'];
    const lines = `${stdin}${formulas.join('\n')}\n`;
    const tsv = await lurecheck(['check', '--network', 'none', '--format', 'tsv', '-'], { stdin: lines });
    const rows = tsv.stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').length)).toEqual([...inputs, ...formulas].map(() => 3));
    expect(rows.filter((row) => /(?:^|\t)[=+\-@]/.test(row))).toEqual([]);
    expect(rows.at(-1)).toBe('\\x40SUM(A1)\t\terror');
  });

  test('matches nothing in a search of the history, and causes no database error', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    await service.check('http://example.com/');
    for (const payload of PAYLOADS) {
      const response = await fetch(
        `${service.url}/api/history?domain=${encodeURIComponent(payload.slice(0, 4000).toWellFormed())}`,
      );
      const body = await response.text();
      expect([payload.slice(0, 80), [200, 400].includes(response.status)]).toEqual([payload.slice(0, 80), true]);
      expect(body).not.toMatch(/sqlite|syntax|SELECT/i);
      if (response.status === 200) expect([payload, JSON.parse(body).items]).toEqual([payload, []]);
    }
  });
});
