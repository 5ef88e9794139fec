import { licenceDocuments } from '../../../.ci/licences/licence-documents.ts' with { type: 'macro' };

/** Notices and bill of materials of the bundled software and data, made at build time. */
export const LICENCE_DOCUMENTS = licenceDocuments();
