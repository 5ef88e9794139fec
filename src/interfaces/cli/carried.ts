import { carried } from '../../../.ci/licences/licence-documents.ts' with { type: 'macro' };

/** What the executable is made of, as it was bundled. */
export const CARRIED = carried();
