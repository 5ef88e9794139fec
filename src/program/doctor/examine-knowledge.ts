import { DAY_MS, systemClock } from '#src/base/clock.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { loadLists } from '#src/lists/local-lists.ts';
import { openModels } from '../models.ts';
import { better, broken, type Examination, well } from './finding.ts';

/** Somebody who keeps a list has changed it by then. */
const OLD_LIST_DAYS = 90;

/** The operator's lists, and how old they are. */
export const examineLists: Examination = async (config) => {
  try {
    const { block, allow } = await loadLists(config);
    if (block.length + allow.length === 0) return [well('lists', 'There are no lists of your own.')];
    return [...block, ...allow].map(({ name, index, changedAtMs }) => {
      const days = changedAtMs === null ? 0 : Math.floor((systemClock.now() - changedAtMs) / DAY_MS);
      const said = `${name} has ${index.size} entries, and was changed ${days} days ago.`;
      return days <= OLD_LIST_DAYS
        ? well('lists', said)
        : better('lists', said, 'See whether what renews it still runs.');
    });
  } catch (error) {
    return [broken('lists', problemsOf(error), 'Correct the file, or leave it out.')];
  }
};

/** The models, and the clock: they were made before they became part of a program that is signed. */
export const examineModels: Examination = async ({ data_dir: dataDir }) => {
  try {
    const { fusion, version } = await openModels(dataDir);
    const model = well('model', `The model ${version} judges.`);
    const now = new Date(systemClock.now()).toISOString();
    if (now >= fusion.date) return [model, well('clock', `It is ${now}.`)];
    const said = `By the clock it is ${now}, before this program was made (${fusion.date}).`;
    return [
      model,
      broken('clock', said, 'Set the clock: certificates, ages of domains and retention are wrong by it.'),
    ];
  } catch (error) {
    return [broken('model', problemsOf(error), 'Take another: lurecheck model use shipped.')];
  }
};

function problemsOf(error: unknown): string {
  if (error instanceof SettingsError) return error.problems.join('; ');
  throw error;
}
