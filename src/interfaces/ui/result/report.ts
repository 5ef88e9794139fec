import type { CheckResult } from '#src/checks/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { saveFile } from '../elements/save-file.ts';
import type { Locale } from '../shell/locale.ts';
import { reportFileName } from './report-file-name.ts';

const IMAGES = '.screenshot img';
const QUALITY = 0.8;

/** Copies the pictures of a result into a copy of it, so that it needs no network; one without pixels is left out. */
function embedPictures(from: HTMLElement, copy: HTMLElement): void {
  const images = from.querySelectorAll<HTMLImageElement>(IMAGES);
  for (const [at, copied] of [...copy.querySelectorAll<HTMLImageElement>(IMAGES)].entries()) {
    const image = images[at];
    if (!image?.naturalWidth) {
      copied.closest('.screenshot')?.remove();
      continue;
    }
    const canvas = html('canvas', { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    copied.setAttribute('src', canvas.toDataURL('image/jpeg', QUALITY));
  }
}

/** A report loads nothing and runs nothing, wherever it is opened. */
const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Saves what is shown of a result as one file that can be mailed, opened anywhere and printed. */
export function saveReport(section: HTMLElement, result: CheckResult, locale: Locale): void {
  const markup = reportDocument(section, result, locale).documentElement.outerHTML;
  // Added to the text, because the policy of this page forbids to make such an element. The first end of a head is the
  // real one: in a text it would be written `&lt;/head>`.
  const text = `<!doctype html>\n${markup.replace('</head>', () => `<style>${styleText()}</style></head>`)}\n`;
  saveFile(reportFileName(result), 'text/html', text);
}

function reportDocument(section: HTMLElement, result: CheckResult, { say, format }: Locale): Document {
  const report = document.implementation.createHTMLDocument(say('report.title'));
  report.documentElement.lang = say.tag;
  report.documentElement.dir = document.documentElement.dir;
  const copy = report.importNode(section, true);
  embedPictures(section, copy);
  for (const element of copy.querySelectorAll('.actions, [role="status"]')) element.remove();
  for (const lead of copy.querySelectorAll('.seen button')) lead.replaceWith(...lead.childNodes);
  for (const details of copy.querySelectorAll('details')) details.open = true;
  report.head.append(
    html('meta', { charset: 'utf-8' }),
    html('meta', { 'http-equiv': 'Content-Security-Policy', content: REPORT_POLICY }),
    html('meta', { name: 'referrer', content: 'no-referrer' }),
    html('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    html('meta', { name: 'color-scheme', content: 'light dark' }),
  );
  const made = html('p', {}, say('report.made', { time: format.moment(result.timestamp) }));
  report.body.append(html('main', { class: 'report' }, html('h1', {}, say('report.title')), copy, made));
  return report;
}

/** The page's own style sheets, as the browser read them. */
function styleText(): string {
  return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('\n');
}
