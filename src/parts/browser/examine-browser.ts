import { better, broken, type Examination, well } from '#src/app/doctor/finding.ts';
import { CdpError } from './cdp/transport.ts';
import { startBrowser } from './process/start-browser.ts';

const INSTALL = 'On Debian: apt install chromium-headless-shell. Or set browser to a program that exists.';

/** The browser starts, or answers at its address. */
export const examineBrowser: Examination = async ({ browser }) => {
  if (browser === null) return [];
  const isAddress = browser.startsWith('ws://');
  if (!isAddress && Bun.which(browser) === null) return [broken('browser', `${browser} does not exist.`, INSTALL)];
  try {
    await using started = await startBrowser(browser);
    const works = well('browser', `${started.product} answers.`);
    const isRoot = !isAddress && process.getuid?.() === 0;
    const advice = 'Run the service as its own user, as service install does.';
    return isRoot ? [works, better('browser', 'As root, the browser runs without its sandbox.', advice)] : [works];
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    const remedy = isAddress ? 'Start the browser, or correct the setting browser.' : INSTALL;
    return [broken('browser', `The browser does not start: ${error.message}.`, remedy)];
  }
};
