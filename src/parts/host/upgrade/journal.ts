import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { digestOf } from './released-file.ts';
import { UpgradeError, type UpgradePaths } from './upgrade-context.ts';

const AGAIN = '`lurecheck upgrade` completes it, `lurecheck upgrade --back` rolls it back';

/** Describes the state of an upgrade in lines for people, by the files that exist rather than by intentions. */
export async function describeUpgrade(journal: Journal, { program, previous }: UpgradePaths): Promise<string> {
  const { from, to, services, begun_at: begunAt } = journal;
  const here = await digestOf(program);
  const isNew = here === to.sha256;
  const version = isNew ? to.version : here === from.sha256 ? from.version : 'another version';
  const backups = services.flatMap(({ backup }) => (backup === null ? [] : [`  backup   ${backup}`]));
  const lines = [
    `${from.version} to ${to.version}, begun on ${begunAt}: ${standing(journal, isNew)}`,
    `  here     ${version}, ${program}`,
    `  before   ${from.version}, ${previous}`,
    ...backups,
  ];
  return lines.map((line) => `${visibleInTerminal(line)}\n`).join('');
}

function standing({ state, reason }: Journal, isNew: boolean): string {
  switch (state) {
    case 'upgraded':
      return 'done';
    case 'returned':
      return `rolled back: ${reason}`;
    case 'returning':
      return `rollback interrupted; ${AGAIN}`;
    case 'waiting':
      return `installed, waiting for a restart of the service; ${AGAIN}`;
    case 'replacing':
      return isNew ? `installed, then interrupted; ${AGAIN}` : 'interrupted before it changed anything; start it again';
  }
}

/**
 * Progress of an upgrade. `replacing`: the new executable is about to replace the old one, or has. `waiting`: it has,
 * and the operator has to restart the service. `returning`: the old one is about to be restored, or was. The last two
 * are final.
 */
const STATES = ['replacing', 'waiting', 'returning', 'upgraded', 'returned'] as const;

const CommandsSchema = Type.Array(Type.Array(Type.String()));

const ServedSchema = Type.Object({
  /** Name for people. */
  name: Type.String(),
  data_dir: Type.String(),
  own: Type.Object({
    url: Type.String(),
    unix: Type.Optional(Type.String()),
    tls: Type.Optional(Type.Object({ rejectUnauthorized: Type.Boolean() })),
  }),
  /** Commands that stop and start it; null if unknown. */
  control: Type.Union([Type.Object({ stop: CommandsSchema, start: CommandsSchema }), Type.Null()]),
  /** Backup of its data directory; null if it stores no logs there. */
  backup: Type.Union([Type.String(), Type.Null()]),
});

const JournalSchema = Type.Object({
  format: Type.Literal(1),
  state: stringEnum(STATES, { description: 'How far it is' }),
  begun_at: Type.String(),
  from: Type.Object({ version: Type.String(), sha256: Type.String(), schema: Type.Integer() }),
  to: Type.Object({ version: Type.String(), sha256: Type.String() }),
  services: Type.Array(ServedSchema),
  /** Why it is rolled back; null if it is not. */
  reason: Type.Union([Type.String(), Type.Null()]),
});

/** A service that runs by the executable. */
export type Served = Static<typeof ServedSchema>;

/** A service before the upgrade changes anything. */
export type ServiceToUpgrade = Omit<Served, 'backup'>;

/** Progress of an upgrade on disk, so that another process can complete it. */
export type Journal = Static<typeof JournalSchema>;

/** Returns true if the upgrade or its rollback is unfinished. */
export const isUnfinished = ({ state }: Journal): boolean => state !== 'upgraded' && state !== 'returned';

/** Reads the journal of the last upgrade; null if there was none. Throws UpgradeError if it cannot be read. */
export function readJournal({ journal }: UpgradePaths): Journal | null {
  let text: string;
  try {
    text = readFileSync(journal, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UpgradeError(`${journal} ${readErrorText(cause)}: run the command as the user who started the upgrade`, {
      cause,
    });
  }
  const shaped = readShape(JournalSchema, parseJson(text));
  if ('value' in shaped) return shaped.value;
  throw new UpgradeError(
    `${journal} cannot be read: ${shaped.problem}. It has another version, or is damaged: verify which executable is installed, then remove this file.`,
  );
}

/** Writes down how far an upgrade is, in one step. */
export async function writeJournal({ journal }: UpgradePaths, changed: Journal): Promise<void> {
  await replaceFile(journal, `${JSON.stringify(changed, null, 2)}\n`);
}
