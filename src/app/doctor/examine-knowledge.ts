import { readKeyFile } from '#src/admin/keys/key-file.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { type FactAge, factAgesWith, OLDEST_FACTS } from '../fact-ages.ts';
import { type ClassifierFallback, openClassifier } from '../scoring/classifier.ts';
import { better, broken, type Examination, type Finding, well } from './finding.ts';

/** Age in days at which a list is probably outdated. */
const OLD_LIST_DAYS = 90;

/** The operator's lists, and how old they are. */
export const examineLists: Examination = async (config) => {
  try {
    const { block, allow, stored } = await openLists(config);
    if (block.length + allow.length + stored.length === 0) return [well('lists', 'No lists are configured.')];
    return [
      ...[...block, ...allow].map(({ name, index: { size }, changedAtMs }) => ageOf(name, size, changedAtMs)),
      ...stored.flatMap(({ version }) => [
        ageOf(version.name, version.entries, Date.parse(version.changed_at)),
        ...heldBackOf(version),
      ]),
    ];
  } catch (error) {
    return [
      broken(
        'lists',
        problemsOf(error),
        'Correct the file or remove its setting; roll back a list of the data directory with lurecheck lists rollback.',
      ),
    ];
  }
};

function ageOf(name: string, entries: number, changedAtMs: number | null): Finding {
  const days = changedAtMs === null ? 0 : Math.floor((systemClock.now() - changedAtMs) / DAY_MS);
  const said = `${name} has ${counted(entries, 'entry', 'entries')}, last changed ${days === 0 ? 'today' : `${counted(days, 'day')} ago`}.`;
  return days <= OLD_LIST_DAYS
    ? well('lists', said)
    : better('lists', said, 'Check that the job that updates it still runs.');
}

function heldBackOf({ name, quarantined }: StoredVersion): Finding[] {
  if (quarantined === 0) return [];
  const said = `Quarantined because they cover shared or popular sites: ${counted(quarantined, 'entry', 'entries')} of ${name}.`;
  return [better('lists', said, `Review them: lurecheck lists show ${name}.`)];
}

/** The model and the configured brands, each by its own file; packs have an examination of their own. */
export const examineModels: Examination = async ({ data_dir: dataDir }) => {
  const faults: Finding[] = [];
  const onFault: ClassifierFallback['onFault'] = (file, error) => {
    if (file !== 'packs') faults.push(broken(file, problemsOf(error), file === 'brands' ? NO_BRAND : ANOTHER_MODEL));
  };
  const { models, packs } = await openClassifier(dataDir, undefined, { now: null, onFault });
  return faults.length > 0
    ? faults
    : [well('model', `The model ${models.version} is active.`), ageOfFacts(factAgesWith(packs.tables))];
};

/** Registries, platforms and services change so much in that time that some answers are missed. */
const OLD_FACTS_DAYS = 500;

function ageOfFacts(ages: readonly FactAge[]): Finding {
  const { table, retrieved } = ages[0] ?? OLDEST_FACTS;
  const days = Math.floor((systemClock.now() - Date.parse(retrieved)) / DAY_MS);
  const said = `The oldest of ${counted(ages.length, 'table')} of facts, ${table}, is of ${retrieved}, ${counted(days, 'day')} ago.`;
  return days <= OLD_FACTS_DAYS
    ? well('model', said)
    : better('model', said, 'Upgrade: a release renews the facts; a pack can renew registry servers.');
}

const ANOTHER_MODEL = 'Select another: lurecheck model use shipped.';
const NO_BRAND = 'Until then, no configured brand is active.';

function problemsOf(error: unknown): string {
  if (error instanceof OperationError) return error.problems.join('; ');
  throw error;
}

/** The keys of clients. */
export const examineKeys: Examination = async ({ data_dir: dataDir }) => {
  try {
    return [well('keys', `${counted(readKeyFile(dataDir).length, 'key')} usable.`)];
  } catch (error) {
    return [broken('keys', problemsOf(error), 'Until then, the service accepts no key.')];
  }
};
