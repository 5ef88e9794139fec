import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { createProbeCompartment, createPublicProbeLog } from '#src/network/probes/compartment.ts';
import { createProbeRunner } from '#src/network/probes/run.ts';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import { openEgressWith } from '#test/network/egress/loopback.ts';
import { timed } from '#test/support/loop-time.ts';
import { targetOf } from '#test/support/target.ts';

/** Checks the given URL five times and prints what each check saw, and how long it took in time that this process had: for `unplugged.test.ts`. */
const [url = ''] = process.argv.slice(2);
const CHECKS = 5;

await using egress = openEgressWith({ dns_server: [{ address: '192.0.2.53', port: 53 }] });
const run = createProbeRunner({
  egress,
  context: {
    clock: systemClock,
    registries: createRegistryDirectory(
      { rdap: () => 'https://rdap.example.org/', whois: () => 'whois.example.org' },
      { rdap_server: [], whois_server: [], registry_timeout_seconds: 3 },
    ),
    anchors: createTrustAnchors([]),
    readPage: async (bytes, source) => readPage(bytes, source),
  },
  lists: { block: [], allow: [], stored: [] },
  off: [],
  clock: systemClock,
});
const log = createPublicProbeLog(createLogger('error', (line) => process.stderr.write(line)));
const compartment = createProbeCompartment(defaultsOf(EGRESS_SETTINGS), systemClock, log);

const checks: unknown[] = [];
for (let i = 0; i < CHECKS; i++) {
  const { result: seen, loopMs } = await timed(() => run(targetOf(url), compartment, 8000));
  checks.push({ loopMs, seen });
}
process.stdout.write(JSON.stringify(checks));
