import { definePart } from '#src/parts/define-part.ts';

/** The logs as two PostgreSQL databases, which any number of nodes write. */
export const postgresPart = definePart({
  name: 'postgres',
  conditions: [
    'checks_spooled',
    'checks_waiting',
    'checks_refused',
    'private_checks_waiting',
    'private_checks_refused',
    'database_outdated',
    'node_name_taken',
  ],
});
