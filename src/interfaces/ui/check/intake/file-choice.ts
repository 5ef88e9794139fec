import { html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';

/** What can be read: mails, pages, tables and texts, and pictures of a code. */
const READABLE = '.eml,.mht,.mhtml,.html,.htm,.txt,.csv,.tsv,message/rfc822,text/*,image/*';

/** A button that opens the file chooser of the device, which on a phone is the camera as well. */
export function fileChoice(say: Speaker, choose: (files: readonly File[]) => void): HTMLElement {
  const input = html('input', {
    type: 'file',
    multiple: true,
    accept: READABLE,
    class: 'visually-hidden',
    change: () => {
      choose([...(input.files ?? [])]);
      // The same file can be chosen again.
      input.value = '';
    },
  });
  return html('label', { class: 'file-choice' }, input, html('span', {}, say('check.file')));
}
