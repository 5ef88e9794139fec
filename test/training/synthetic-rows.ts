import { ROW_FILES, type Row } from '#src/training/data/dataset.ts';
import { FOLDS } from '#src/training/data/folds.ts';
import { createRandom } from '#src/training/data/random.ts';

const ORDINARY = 'green river garden school bakery music stone bridge village market studio travel sports family'.split(
  ' ',
);
const LURES = 'secure login verify account wallet update support billing'.split(' ');
const pick = (words: readonly string[], random: () => number) => words[Math.floor(random() * words.length)] ?? '';

/** Synthetic rows of every source of every fold: ordinary names and paths against lure words under cheap suffixes. */
export function syntheticRows(perSource: number, seed = 1): Row[] {
  const random = createRandom(seed);
  const rows: Row[] = [];
  for (const { benign, phishing } of FOLDS) {
    for (const source of [...benign, ...phishing]) {
      for (let i = 0; i < perSource; i++) rows.push(syntheticRow(source, phishing.includes(source), random));
    }
  }
  return rows;
}

function syntheticRow(source: string, phishing: boolean, random: () => number): Row {
  const words = phishing ? LURES : ORDINARY;
  const digits = Math.floor(random() * 1e6);
  const name = `${pick(words, random)}-${pick(words, random)}${phishing ? digits : digits.toString(36).replace(/\d/g, 'e')}`;
  const site = `${name}.${pick(phishing ? ['top', 'xyz', 'com'] : ['com', 'org', 'de'], random)}`;
  const bare = random() < 0.5;
  const path = `/${pick(words, random)}/${pick(words, random)}${phishing ? '.php' : '.html'}`;
  const month = String(1 + Math.floor(random() * 2)).padStart(2, '0');
  const date = random() < 0.5 ? `2025-${month}-11` : `2026-${month}-11`;
  return { phishing, source, date, canon: bare ? site : site + path, site, hosted: false, bare };
}

/** Writes the folder that `train` and `evaluate` read, with synthetic rows. */
export async function writeDataFolder(dir: string, rows: readonly Row[]): Promise<void> {
  const head = 'label\tsource\tdate\turl\thas_scheme\tcanon\tregdom\tsite\thosted\tbare\tslices';
  const lines = rows.map(({ phishing, source, date, canon, site, hosted, bare }) =>
    [phishing ? 'phish' : 'benign', source, date, canon, 0, canon, site, site, Number(hosted), Number(bare), ''].join(
      '\t',
    ),
  );
  const file = Bun.gzipSync(new TextEncoder().encode(`${[head, ...lines].join('\n')}\n`));
  for (const name of ROW_FILES) await Bun.write(`${dir}/${name}`, file);
}
