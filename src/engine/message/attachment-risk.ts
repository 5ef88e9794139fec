import { hasBidiReordering, plainLine } from '#src/core/base/text/untrusted-text.ts';
import { RISKY_FILES } from '#src/core/knowledge/words/mail-words.ts';

/**
 * Effects that opening an attached file can have. `program`: runs code or leads elsewhere; `disk`: opens as a disk, whose files carry
 * no mark of their origin; `macros`: a document with code; `page`: opens as a page in the browser; `disguised`: a program
 * whose name looks like that of a document.
 */
export const ATTACHMENT_RISKS = ['disguised', 'program', 'disk', 'macros', 'page'] as const;

export type AttachmentRisk = (typeof ATTACHMENT_RISKS)[number];

/** Returns the risk of a file by its name, as the system opens it; null if there is none. */
export function attachmentRisk(name: string): AttachmentRisk | null {
  const [last = '', before = ''] = plainLine(name.slice(-MAX_NAME))
    .toLowerCase()
    .replace(/[\s.]{1,100}$/, '')
    .split('.')
    .toReversed();
  const risk = (['program', 'disk', 'macros', 'page'] as const).find((one) => RISKY_FILES[one].includes(last)) ?? null;
  const isDocument = RISKY_FILES.document.includes(before.trim());
  return risk !== null && risk !== 'macros' && (isDocument || hasBidiReordering(name)) ? 'disguised' : risk;
}

/** Length of the end of a name that is read, in UTF-16 code units. */
const MAX_NAME = 1000;
