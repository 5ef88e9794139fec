import type { HtmlSettings } from '#src/network/html/settings.ts';
import { openSavedPage, type SavedPage } from '#src/network/probes/saved-page.ts';
import { UsageError } from '../command.ts';

/** The setting that bounds an unpacked page. */
export type SavedPageSettings = Pick<HtmlSettings, 'body_bytes'>;

/** Media types of files that a browser opens as XML. */
const XML_TYPE = /\bxml$|\+xml$/;

/**
 * Reads the saved page that `--html` names.
 *
 * @throws UsageError if the file is no page.
 */
export async function readSavedPage(
  path: string,
  resolvePath: (path: string) => string,
  { body_bytes }: SavedPageSettings,
): Promise<SavedPage> {
  const file = Bun.file(resolvePath(path));
  const opened = await openSavedPage(await file.bytes(), body_bytes);
  if ('problem' in opened) throw new UsageError(`--html: ${path} ${opened.problem}`);
  const [type = ''] = file.type.split(';', 1);
  return { ...opened, contentType: opened.contentType ?? (XML_TYPE.test(type) ? type : null), statusCode: 200 };
}
