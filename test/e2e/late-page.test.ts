import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { lurecheck } from '#test/support/executable.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { ANY_PORT, listen } from '#test/support/listen.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const LOGIN = `<!doctype html><title>Log in to your PayPal account</title><h1>PayPal</h1><p>Log in to PayPal.</p>
<form action="https://collect.example.net/a.php" method=post><input type=email name=login_email>
<input type=password name=login_password><button>Log In</button></form>`;

/** The default deadline, and a page that takes three quarters of it; both doubled, for a busy machine. */
const [DEADLINE_SECONDS, PAGE_MS] = [2 * 8, 2 * 6000];

test('a login that takes three quarters of the deadline is classified by its content if the registry is silent', async () => {
  await using silent = await listen(createServer(), ANY_PORT);
  await using internet = await startInternet({
    'late.example': {
      script: [
        { op: 'wait', ms: PAGE_MS },
        {
          op: 'send',
          data: `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${LOGIN.length}\r\n\r\n${LOGIN}`,
        },
      ],
    },
  });
  await using directory = temporaryDirectory();
  const config = await writeConfigFile({ ...internet, ...withRegistryAt(silent.port, internet) }, directory.path);
  const patience = ['--registry-timeout-seconds', '59', '--connect-timeout-seconds', '59'];
  const { stdout, stderr } = await lurecheck([
    ...['check', '--format', 'json', '--config', config, '--deadline-seconds', String(DEADLINE_SECONDS)],
    ...[...patience, internet.url('late.example')],
  ]);
  if (stdout === '') throw new Error(stderr);
  const { analysis_details: details } = parseAs(CheckResultSchema, JSON.parse(stdout));
  expect([details.coverage, details.html_available]).toEqual(['full', true]);
  expect(details.reasons.map(({ code }) => code)).toContain('page.asks_as_foreign_brand');
  expect(details.unavailable).toContainEqual({ component: 'registration', reason: 'timeout' });
});

/** The same internet, whose registry takes connections and says nothing. */
function withRegistryAt(port: number, { egress, registries }: Internet): Pick<Internet, 'egress' | 'registries'> {
  const rdap_server = [{ suffix: '*', server: `https://127.0.0.1:${port}/` }];
  const whois_server = [{ suffix: '*', server: `127.0.0.1:${port}` }];
  return {
    egress: { ...egress, egress_port: [...(egress.egress_port ?? []), port] },
    registries: { ...registries, rdap_server, whois_server },
  };
}
