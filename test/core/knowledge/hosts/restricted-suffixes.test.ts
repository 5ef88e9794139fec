import { expect, test } from 'bun:test';
import { isRestrictedSuffix } from '#src/core/knowledge/hosts/suffixes.ts';

test.each(['go.id', 'gov.br', 'sp.gov.br', 'ac.uk', 'edu.au', 'edu', 'mil', 'gob.mx', 'sch.id', 'lg.jp', 'k12.tr'])(
  'only authorities and schools register under %s',
  (suffix) => {
    expect(isRestrictedSuffix(suffix)).toBe(true);
  },
);

test.each(['com', 'id', 'co.id', 'web.id', 'edu.pl', 'go.it', 'ac', 'go.com', 'gov.com', 'top', 'edu.eu.org', ''])(
  'anyone registers under “%s”',
  (suffix) => {
    expect(isRestrictedSuffix(suffix)).toBe(false);
  },
);
