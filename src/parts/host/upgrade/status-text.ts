import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Journal } from './journal.ts';
import { digestOf } from './released-file.ts';
import type { UpgradePaths } from './upgrade-paths.ts';

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
