import { existsSync, readFileSync } from 'node:fs';

/** Licences whose text names no holder, and is the same for all who use them. */
const SAME_FOR_ALL = new Set(['Apache-2.0', 'MPL-2.0', 'CC0-1.0']);

/** The licences of an SPDX expression that must all be kept to. Throws an Error for one that leaves a choice. */
export function licencesIn(expression: string): string[] {
  if (/[()]|\bOR\b/.test(expression)) throw new Error(`choose one licence of ${expression}`);
  return expression.split(/ AND | WITH /);
}

/** The text of a licence by its SPDX identifier. Throws an Error where there is none in `texts`. */
export function licenceText(id: string): string {
  const path = `${import.meta.dir}/texts/${id}.txt`;
  if (!/^[\w.-]+$/.test(id) || !existsSync(path)) throw new Error(`there is no text of the licence ${id} in ${path}`);
  return readFileSync(path, 'utf8').trim();
}

/** The text of a licence that a package is under and did not bring along; null where such a text names who gives it. */
export function textForAll(id: string): string | null {
  return SAME_FOR_ALL.has(id) ? licenceText(id) : null;
}
