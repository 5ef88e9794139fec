import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { isReadableName } from '#src/core/url/readable-name.ts';
import { isImitated } from './is-imitated.ts';

/**
 * Returns a function that writes the host of a result within a text as people read it: in its own script, if nothing in it looks
 * like another name, and no brand is imitated. The details have its ASCII form.
 */
export function writtenHost(details: AnalysisDetails): (text: string) => string {
  const { ascii, unicode, lookalikes } = details.host_parts;
  const isLookAlike = (one: string) => lookalikes.some(({ character }) => character === one);
  if (unicode === ascii || isImitated(details) || !isReadableName(unicode, isLookAlike)) return (text) => text;
  const labels = unicode.split('.');
  const pairs = ascii
    .split('.')
    .flatMap((label, at) => (label.startsWith('xn--') ? [[label, labels[at] ?? label]] : []));
  return (text) => pairs.reduce((written, [label = '', shown = '']) => written.replaceAll(label, shown), text);
}
