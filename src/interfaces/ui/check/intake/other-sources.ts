import { html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';
import { cameraChoice } from './camera-choice.ts';
import { fileChoice } from './file-choice.ts';
import type { Given } from './intake.ts';

/** The ways to give a link without the keyboard: a file or picture of the device, and its camera. */
export function otherSources(
  say: Speaker,
  take: (given: Given) => void,
  complain: (said: string) => void,
): HTMLElement {
  return html(
    'div',
    { class: 'sources' },
    fileChoice(say, (files) => take({ html: '', text: '', files })),
    cameraChoice(say, {
      seen: (text) => take({ html: '', text, files: [] }),
      failed: () => complain(say('check.camera.failed')),
    }),
  );
}
