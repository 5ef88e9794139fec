import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openrcFor } from '#src/parts/host/installation/openrc.ts';
import { DEFAULT_PROGRAM_PATH, settingsFiles } from '#src/parts/host/installation/plan-install.ts';
import {
  BROWSER_UNIT,
  instanceUnitFor,
  PACKAGED_PROGRAM,
  SYSTEMD,
  SYSUSERS,
  unitFor,
} from '#src/parts/host/installation/systemd.ts';
import { withLinks } from '#src/service/manual/links.ts';
import type { PartName } from '#src/service/manual/parts.ts';
import { TEXTS } from '#src/service/manual/texts.ts';
import { withPlaces } from '#test/support/with-places.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../licences/bundle-map.ts';
import { type LicenceDocuments, licenceDocuments } from '../licences/licence-documents.ts';
import type { ArchiveEntry } from './archive.ts';
import { type DebianOrigin, debianDocs, EXTENDED_DESCRIPTION } from './debian-docs.ts';
import type { DebianPackage } from './debian-package.ts';
import type { Image } from './image-archive.ts';
import type { Libc } from './libc.ts';
import { shellFiles } from './shell-files.ts';

/** The user of the image, who has no name on the machine that runs it. */
const IMAGE_USER = 65532;

/** For Prometheus and Grafana, as examples. */
const MONITORING = ['alerts.yml', 'grafana-dashboard.json'];

/** A fleet in containers, by the names of its files in the release. */
function fleetFiles(version: string): ArchiveEntry[] {
  const text = (name: string) => readFileSync(join(ROOT, '.ci/packaging', name), 'utf8');
  const places = {
    'bind :80': 'bind :8080',
    ':443 ssl crt /etc/haproxy/check.example.pem': ':8443 ssl crt /run/secrets/balancer.pem',
    '192.0.2.1:': '10.213.47.11:',
    '192.0.2.2:': '10.213.47.12:',
  };
  return [
    { path: 'fleet/compose.yaml', content: withPlaces(text('fleet/compose.yaml'), { VERSION: version }) },
    { path: 'fleet/haproxy.cfg', content: withPlaces(text('haproxy.cfg'), places) },
    { path: 'fleet/make-secrets.sh', content: text('fleet/make-secrets.sh'), mode: 0o755 },
  ];
}

/** The service and a browser in containers. The command of the browser is that of its unit. */
function browserFiles(version: string): ArchiveEntry[] {
  const text = (name: string) => readFileSync(join(ROOT, '.ci/packaging/browser', name), 'utf8');
  return [
    { path: 'browser/compose.yaml', content: withPlaces(text('compose.yaml'), { VERSION: version }) },
    {
      path: 'browser/Dockerfile',
      content: withPlaces(text('Dockerfile'), { COMMAND: JSON.stringify(commandOf(BROWSER_UNIT)) }),
    },
    { path: 'browser/seccomp.json', content: text('seccomp.json') },
  ];
}

/** Returns the command of a unit, by the quoting of systemd.syntax(7). */
function commandOf(unit: string): string[] {
  const [, command = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
  return Array.from(
    command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, bare = '']) => quoted ?? bare,
  );
}

/** One line of at most 80 characters that begins with no article (Debian policy 5.6.13). */
const SYNOPSIS = 'phishing link classifier with API, web page and command line';

/** What is the same in all that is released. */
export interface Contents {
  readonly version: string;
  readonly changelog: string;
  readonly sbom: string;
  /** How to verify and install what is released. */
  readonly install: string;
  /** A folder with the executable, what a service manager needs, and what one must and should read. */
  folder(name: string, executable: Uint8Array): ArchiveEntry[];
  /** The package for Debian's `architecture`. */
  debian(architecture: string, executable: Uint8Array, origin: DebianOrigin): DebianPackage;
  /** The image for the OCI's `architecture`. */
  image(architecture: string, executable: Uint8Array, libc: Libc): Image;
}

/** Reads what is released out of this source. */
export function readContents(): Contents {
  const { version } = manifest;
  const documents = licenceDocuments();
  const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const changelog = text('CHANGELOG.md');
  const monitoring = MONITORING.map((name) => ({
    path: `monitoring/${name}`,
    content: text(`.ci/packaging/monitoring/${name}`),
  }));
  const rspamd = { path: 'rspamd/lurecheck.lua', content: text('.ci/packaging/rspamd/lurecheck.lua') };
  const manual = Object.entries(TEXTS).map(([name, content]) => ({ path: `manual/${name}.md`, content }));
  const install = withLinks(TEXTS.installing, placeInManual);
  const readings = [
    ...readingsOf(text('LICENSE'), documents),
    { path: 'CHANGELOG.md', content: changelog },
    ...monitoring,
    ...fleetFiles(version),
    ...browserFiles(version),
    rspamd,
    ...manual,
  ];
  return {
    version,
    changelog,
    sbom: documents.sbom,
    install,
    folder: (name, executable) =>
      [
        { path: 'lurecheck', content: executable, mode: 0o755 },
        { path: 'lurecheck.service', content: unitFor(DEFAULT_PROGRAM_PATH) },
        { path: 'lurecheck@.service', content: instanceUnitFor(DEFAULT_PROGRAM_PATH) },
        { path: 'lurecheck.sysusers', content: SYSUSERS },
        { path: 'lurecheck.openrc', content: openrcFor(DEFAULT_PROGRAM_PATH), mode: 0o755 },
        { path: 'INSTALL.md', content: install },
        ...readings,
      ].map((entry) => ({ ...entry, path: `${name}/${entry.path}` })),
    debian: (architecture, executable, origin) => ({
      control: {
        Package: manifest.name,
        Version: version,
        Architecture: architecture,
        Maintainer: origin.maintainer,
        Section: 'net',
        Priority: 'optional',
        // What the runtime was linked against; libm, libdl and libpthread are in the same package.
        Depends: 'libc6 (>= 2.17)',
        Description: [SYNOPSIS, ...EXTENDED_DESCRIPTION].join('\n '),
      },
      scripts: Object.fromEntries(
        ['postinst', 'prerm', 'postrm'].map((name) => [name, text(`.ci/packaging/${name}.sh`)]),
      ),
      files: [
        { path: 'usr/bin/lurecheck', content: executable, mode: 0o755 },
        { path: 'usr/lib/systemd/system/lurecheck.service', content: unitFor(PACKAGED_PROGRAM) },
        { path: 'usr/lib/systemd/system/lurecheck@.service', content: instanceUnitFor(PACKAGED_PROGRAM) },
        { path: 'usr/lib/sysusers.d/lurecheck.conf', content: SYSUSERS },
        // Of root alone until the user of the service exists: see postinst.sh.
        { path: 'etc/lurecheck', content: null, mode: 0o750 },
        ...settingsFiles(SYSTEMD).map(({ path, text: content }) => ({ path: path.slice(1), content, mode: 0o640 })),
        ...shellFiles(),
        ...readings
          .filter(({ path }) => path !== 'LICENSE' && path !== 'CHANGELOG.md')
          .map((entry) => ({ ...entry, path: `usr/share/doc/lurecheck/${entry.path}` })),
        ...debianDocs(changelog, origin),
      ],
    }),
    image: (architecture, executable, libc) => ({
      architecture,
      reference: `${manifest.name}:${version}`,
      layers: [libc.files, imageFiles(executable, readings)],
      config: imageConfig(libc),
    }),
  };
}

/** Where a link of a part leads whose text stands beside the folder of all parts. */
const placeInManual = (part: PartName | null, fragment: string): string =>
  `${part === null ? '' : `manual/${part}.md`}${fragment}`;

/** What must come along: our licence, the notices of others; and the bill of materials. */
function readingsOf(licence: string, { notices, sbom }: LicenceDocuments): ArchiveEntry[] {
  return [
    { path: 'LICENSE', content: licence },
    { path: 'THIRD-PARTY-NOTICES', content: notices },
    { path: 'lurecheck.cdx.json', content: sbom },
  ];
}

function imageFiles(executable: Uint8Array, readings: readonly ArchiveEntry[]): ArchiveEntry[] {
  const user = `${manifest.name}:x:${IMAGE_USER}:`;
  return [
    { path: 'usr/bin/lurecheck', content: executable, mode: 0o755 },
    { path: 'etc/passwd', content: `${user}${IMAGE_USER}::/var/lib/lurecheck:/sbin/nologin\n` },
    { path: 'etc/group', content: `${user}\n` },
    { path: 'var/lib/lurecheck', content: null, mode: 0o700, owner: IMAGE_USER },
    ...readings.map((entry) => ({ ...entry, path: `usr/share/doc/lurecheck/${entry.path}` })),
  ];
}

/** It listens to whatever reaches the container, runs as nobody that the machine knows, and writes into one volume. */
function imageConfig({ version }: Libc) {
  const second = 1_000_000_000;
  return {
    User: `${IMAGE_USER}:${IMAGE_USER}`,
    Env: [
      'LURECHECK_LISTEN=0.0.0.0:8080',
      'LURECHECK_DATA_DIR=/var/lib/lurecheck',
      ...Array.from(unitFor(PACKAGED_PROGRAM).matchAll(/^Environment=(.+)$/gm), ([, variable = '']) => variable),
    ],
    Entrypoint: ['/usr/bin/lurecheck'],
    Cmd: ['serve'],
    ExposedPorts: { '8080/tcp': {} },
    Volumes: { '/var/lib/lurecheck': {} },
    WorkingDir: '/',
    StopSignal: 'SIGTERM',
    Healthcheck: { Test: ['CMD', '/usr/bin/lurecheck', 'healthcheck'], Interval: 30 * second, Timeout: 5 * second },
    Labels: {
      'org.opencontainers.image.title': manifest.name,
      'org.opencontainers.image.description': manifest.description,
      'org.opencontainers.image.version': manifest.version,
      'org.opencontainers.image.licenses': manifest.license,
      'org.opencontainers.image.vendor': manifest.author,
      libc6: version,
    },
  };
}
