const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Gives the entries of a fact file, checked. Throws an Error that names the file and what is wrong with it: a damaged
 * table must stop the start, not weaken the verdicts.
 */
export function readFacts<Entries>(
  fileName: string,
  file: unknown,
  isEntries: (entries: unknown) => entries is Entries,
): Entries {
  if (typeof file !== 'object' || file === null) throw new Error(`${fileName} must hold a JSON object`);
  for (const key of ['source', 'retrieved', 'licence', 'entries']) {
    if (!(key in file)) throw new Error(`${fileName} lacks "${key}"`);
  }
  const { source, retrieved, licence, entries } = file as Record<string, unknown>;
  if (typeof source !== 'string' || source === '') throw new Error(`${fileName}: "source" must say where it is from`);
  if (typeof licence !== 'string' || licence === '') throw new Error(`${fileName}: "licence" must not be empty`);
  if (typeof retrieved !== 'string' || !DAY.test(retrieved)) {
    throw new Error(`${fileName}: "retrieved" must be a day such as 2026-01-31`);
  }
  if (!isEntries(entries)) throw new Error(`${fileName}: "entries" are not in the form that this version reads`);
  return entries;
}

/** Whether `value` is a list of lines that each hold names separated by one space. */
export function isNameLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string' && /^[!-~]+(?: [!-~]+)*$/.test(line));
}
