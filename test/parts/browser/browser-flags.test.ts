import { expect, test } from 'bun:test';
import { browserArguments, missingFlags } from '#src/parts/browser/process/start-browser.ts';

const OWN = ['/usr/lib/chromium/chromium', ...browserArguments('/tmp/x', false)].join(' ');

test('a browser that the service starts lacks nothing', () => {
  expect(missingFlags(OWN)).toEqual({ guards: [], others: [] });
});

test('the unit of the browser has every flag, and leaves the sandbox on', async () => {
  const unit = await Bun.file(`${import.meta.dir}/../../../.ci/packaging/lurecheck-browser.service`).text();
  const [, command = ''] = /^ExecStart=((?:.*\\\n)+.*)$/m.exec(unit) ?? [];
  expect(missingFlags(command.replaceAll('\\\n', '').replace(/ +/g, ' ').replaceAll('"', ''))).toEqual({
    guards: [],
    others: [],
  });
  expect(command).not.toContain('--no-sandbox');
});

test('flags are missed by name and value, those that guard traffic apart', () => {
  const bare = missingFlags('chromium --headless --remote-debugging-port=9222');
  expect(bare.guards).toContain('--disable-quic');
  expect(bare.guards).toContain('--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1');
  expect(bare.others).not.toContain('--headless');
  const changed = OWN.replace('--disable-quic', '--disable-quick').replace('--mute-audio', '');
  expect(missingFlags(changed)).toEqual({ guards: ['--disable-quic'], others: ['--mute-audio'] });
});

test('of a flag that is given twice, the last counts', () => {
  expect(missingFlags(`${OWN} --proxy-server=direct:// --disable-features=Translate`)).toEqual({
    guards: ['--proxy-server=socks5://127.0.0.1:9'],
    others: [expect.stringMatching(/^--disable-features=/)],
  });
});

test('disabled features may have another order and company', () => {
  const [flag = ''] = OWN.split(' ').filter((one) => one.startsWith('--disable-features='));
  const features = flag.split('=')[1]?.split(',') ?? [];
  const reordered = OWN.replace(flag, `--disable-features=${['Other', ...features.toReversed()].join(',')}`);
  expect(missingFlags(reordered).others).toEqual([]);
  expect(missingFlags(OWN.replace(flag, `--disable-features=${features.slice(1).join(',')}`)).others).toEqual([flag]);
});
