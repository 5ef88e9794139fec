import { readFileSync } from 'node:fs';

/** A software component of the runtime. */
export interface RuntimeComponent {
  readonly name: string;
  /** An SPDX expression without a choice. */
  readonly licence: string;
  /** Null if the licence requires no copyright notice. */
  readonly copyright: string | null;
  /** Where its source is. */
  readonly source: string;
}

/** What the runtime of this build carries, and how that is known. */
export interface Runtime {
  readonly about: readonly string[];
  readonly components: readonly RuntimeComponent[];
}

/** Reads `runtime.tsv`. Throws an Error where it is not of the version of Bun that builds: each has to be looked at. */
export function readRuntime(text = readFileSync(`${import.meta.dir}/runtime.tsv`, 'utf8'), bun = Bun.version): Runtime {
  const lines = text.split('\n').filter((line) => line !== '');
  const about = lines.filter((line) => line.startsWith('#')).map((line) => line.slice(2));
  if (!about.includes(`bun: ${bun}`)) throw new Error(`runtime.tsv must say what Bun ${bun} carries`);
  const components = lines.filter((line) => !line.startsWith('#')).map(readComponent);
  return { about, components };
}

function readComponent(line: string): RuntimeComponent {
  const [name, licence, copyright, source, ...more] = line.split('\t');
  if (!name || !licence || !copyright || !source || more.length > 0) throw new Error(`runtime.tsv: ${line}`);
  return { name, licence, copyright: copyright === '–' ? null : copyright, source };
}
