import { describe, expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import vectors from '#test/vectors/output-injection.json' with { type: 'json' };

const PAYLOADS = vectors.vectors.map(({ payload }) => payload);
/** What a terminal, an editor or a log viewer would obey or hide instead of showing it. */
const UNSHOWN = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('hostile text in a URL', () => {
  test('makes one line in the log of the process, with nothing in it that is not shown', async () => {
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
    const lines = service.output.stdout.trimEnd().split('\n');
    expect(lines.length).toBe(1 + checked);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(UNSHOWN.exec(service.output.stdout + service.output.stderr)).toBeNull();
  });

  test('stays in its column and its row in tsv and text', async () => {
    const inputs = PAYLOADS.filter((payload) => !/[\r\n]/.test(payload)).map(
      (payload) => `http://example.com/?q=${payload}`,
    );
    const stdin = inputs.map((url) => `${url}\n`).join('');
    const tsv = await lurecheck(['check', '--network', 'none', '--format', 'tsv', '-'], { stdin });
    const rows = tsv.stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').length)).toEqual(inputs.map(() => 3));
    expect(/(?![\n\t])\p{Cc}/u.exec(tsv.stdout)).toBeNull();
    const text = await lurecheck(['check', '--network', 'none', '-'], { stdin });
    expect(UNSHOWN.exec(text.stdout)).toBeNull();
  });

  test('finds nothing but hosts when it is searched for in the history', async () => {
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
