import { askIcap } from '#test/support/ask-icap.ts';
import { askMilter, markIn } from '#test/support/ask-milter.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

/** Asks ICAP and milter from an address that is not of loopback, before and after the settings name it: for `peers.test.ts`. */
const SERVICE = '192.0.2.1';
const PEER = '192.0.2.2';

await using directory = temporaryDirectory();

async function ask(settings: readonly string[], refusals: number): Promise<unknown> {
  const listen = ['--icap-listen', `${SERVICE}:0`, '--milter-listen', `${SERVICE}:0`];
  await using service = await startService(directory.path, [...listen, ...settings]);
  const ready = service.events().find(({ event }) => event === 'server.listening');
  const portOf = (name: string) => Number(/:(\d+)(?:\/|$)/.exec(String(ready?.[name]))?.[1]);
  const place = { host: SERVICE, localAddress: PEER };
  const mail = await askMilter({ ...place, port: portOf('milter_urls') }, { body: 'Hello\r\n' });
  // What was closed without an answer may say so by a reset.
  const { status } = await askIcap(portOf('icap_urls'), 'http://example.com/', { place }).catch(() => ({
    status: null,
  }));
  const refused = () => service.events().filter(({ event }) => event.endsWith('.peer_refused'));
  // An event may come later than the end of the connection that it reports.
  await until(() => refused().length >= refusals);
  return {
    mark: markIn(mail),
    icap: status,
    refused: refused()
      .map(({ event, peer }) => `${event} ${peer}`)
      .toSorted(),
  };
}

const refused = await ask([], 2);
const admitted = await ask(['--icap-peers', `${PEER}/32`, '--milter-peers', `${PEER}/32`], 0);
process.stdout.write(JSON.stringify({ refused, admitted }), () => process.exit(0));
