import type { Browser, CDPSession, Frame, Page } from 'playwright-core';

/** What a visitor of a page gets to see, and where what is typed in goes. */
export interface Shown {
  /** Address of the document that stays; null where the browser shows an error, or saves the answer as a file. */
  readonly url: string | null;
  readonly title: string;
  readonly asksForPassword: boolean;
  /** Where the form of the password is sent, without query and fragment; null where it is sent nowhere. */
  readonly postsTo: string | null;
}

/** A visitor waits no longer for a page to send it on. */
const LONGEST_REFRESH_SECONDS = 1;
/** For what a busy machine takes long for; a page that never ends to load is looked at as it is then. */
const PATIENT_MS = 60_000;

/** Visits a page as a person does, who then types into its first password field and presses Enter. */
export async function shownInChromium(browser: Browser, url: string): Promise<Shown> {
  const context = await browser.newContext({ acceptDownloads: false });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const isShown = await settle(page, session, url);
    if (!isShown) return { url: null, title: '', asksForPassword: false, postsTo: null };
    const [there, title, frame] = [withoutTail(page.url()), await page.title(), await frameThatAsks(page)];
    const postsTo = frame && (await whereSent(frame, session));
    return { url: there, title, asksForPassword: frame !== null, postsTo };
  } finally {
    await context.close();
  }
}

/** Goes to a page and waits for as long as it sends the visitor on. */
async function settle(page: Page, session: CDPSession, url: string): Promise<boolean> {
  await session.send('Page.enable');
  const { frameTree } = await session.send('Page.getFrameTree');
  const isTop = ({ frameId }: { frameId: string }) => frameId === frameTree.frame.id;
  /** Whether the visitor is about to be sent on, and whether a page is on its way. */
  const under = { scheduled: false, way: false };
  session.on('Page.frameScheduledNavigation', (event) => {
    if (isTop(event)) under.scheduled = event.delay <= LONGEST_REFRESH_SECONDS;
  });
  session.on('Page.frameRequestedNavigation', (event) => {
    if (isTop(event)) under.way = true;
  });
  session.on('Page.frameStartedLoading', (event) => {
    if (isTop(event)) under.way = true;
  });
  session.on('Page.frameStoppedLoading', (event) => {
    if (isTop(event)) Object.assign(under, { scheduled: false, way: false });
  });
  const answer = await page.goto(url, { waitUntil: 'load', timeout: PATIENT_MS }).catch(() => null);
  if (answer === null) return false;
  const end = performance.now() + PATIENT_MS;
  for (let quiet = 0; quiet < QUIET_ANSWERS && performance.now() < end; quiet++) {
    // What happened before this answer has been told by now.
    await page.evaluate('document.readyState').catch(() => null);
    if (under.scheduled || under.way) quiet = 0;
  }
  return true;
}

/** Answers of a page in a row with which it has nothing left to do. */
const QUIET_ANSWERS = 5;

const PASSWORD = 'input[type=password]';

async function frameThatAsks(page: Page): Promise<Frame | null> {
  for (const frame of page.frames()) {
    if ((await frame.locator(PASSWORD).filter({ visible: true }).count()) > 0) return frame;
  }
  return null;
}

/** Where the browser goes when Enter is pressed in the field; what it asks for, it has asked for before it answers again. */
async function whereSent(frame: Frame, ofPage: CDPSession): Promise<string | null> {
  // A frame in a process of its own has a session of its own.
  const own = await frame
    .page()
    .context()
    .newCDPSession(frame)
    .catch(() => null);
  let sentTo: string | null = null;
  for (const session of [ofPage, own]) {
    await session?.send('Page.enable');
    session?.on('Page.frameRequestedNavigation', ({ url, reason }) => {
      if (reason === 'formSubmissionGet' || reason === 'formSubmissionPost') sentTo ??= url;
    });
  }
  const field = frame.locator(PASSWORD).filter({ visible: true }).first();
  await field.fill('secret');
  await field.press('Enter', { noWaitAfter: true });
  for (let answers = 0; answers < QUIET_ANSWERS && sentTo === null; answers++) {
    await frame.evaluate('document.readyState').catch(() => null);
  }
  return sentTo === null ? null : withoutTail(sentTo);
}

/** An address without query and fragment: those of a form are what was typed in. */
export function withoutTail(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
