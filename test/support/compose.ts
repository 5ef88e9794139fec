import { type Static, Type } from '@sinclair/typebox';
import { readContents } from '../../.ci/release/contents.ts';
import { parseAs } from './parse-as.ts';

const Texts = Type.Array(Type.String());

const ServiceSchema = Type.Object({
  image: Type.String(),
  command: Type.Optional(Texts),
  environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  secrets: Type.Optional(Texts),
  volumes: Type.Optional(Texts),
  ports: Type.Optional(Texts),
  network_mode: Type.Optional(Type.String()),
  networks: Type.Optional(Type.Object({ default: Type.Object({ ipv4_address: Type.String() }) })),
  depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
  healthcheck: Type.Optional(Type.Object({ test: Texts })),
});

const ComposeSchema = Type.Object({
  services: Type.Record(Type.String(), ServiceSchema),
  volumes: Type.Record(Type.String(), Type.Null()),
  secrets: Type.Record(Type.String(), Type.Object({ file: Type.String() })),
});

/** A service of the compose file. */
export type ComposeService = Static<typeof ServiceSchema>;

/** The files of `fleet/` in the release, or of another of its folders, by name. */
export function fleetFiles(folder = 'fleet'): ReadonlyMap<string, string> {
  const entries = readContents().folder('release', new Uint8Array());
  const own = entries.filter(({ path }) => path.startsWith(`release/${folder}/`));
  return new Map(own.map(({ path, content }) => [path.slice(`release/${folder}/`.length), String(content)]));
}

/** The compose file of the release, as far as tests read it. */
export function composeFile(): Static<typeof ComposeSchema> {
  return parseAs(ComposeSchema, Bun.YAML.parse(fleetFiles().get('compose.yaml') ?? ''));
}
