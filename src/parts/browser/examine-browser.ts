import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { makeScratchFolder } from '#src/checks/store/file/scratch-folder.ts';
import { CdpError } from './cdp/transport.ts';
import { isBrowserAddress, type RunningBrowser, startBrowser } from './process/start-browser.ts';

const INSTALL = 'On Debian: apt install chromium-headless-shell. Or set browser to a program that exists.';

/** The browser starts, or answers at its address. */
export const examineBrowser: Examination = async ({ browser }) => {
  if (browser === null) return [];
  const isAddress = isBrowserAddress(browser);
  if (!isAddress && Bun.which(browser) === null) return [broken('browser', `${browser} does not exist.`, INSTALL)];
  await using folder = makeScratchFolder('lurecheck-browser-');
  try {
    await using started = await startBrowser(browser, { folder: folder.path });
    return [well('browser', `${started.product} answers.`), ...weaknesses(started)];
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    const remedy = isAddress ? 'Start the browser, or correct the setting browser.' : INSTALL;
    return [broken('browser', `The browser does not start: ${error.message}.`, remedy)];
  }
};

function weaknesses({ group, missing: { guards, others } }: RunningBrowser): Finding[] {
  const found: Finding[] = [];
  if (group !== null && process.getuid?.() === 0) {
    const advice = 'Run the service as its own user, as service install does.';
    found.push(better('browser', 'As root, the browser runs without its sandbox.', advice));
  }
  const restart = (flags: readonly string[]) => `Start it with ${flags.map((flag) => `"${flag}"`).join(' ')}.`;
  if (guards.length > 0) {
    const text = 'The browser lacks flags without which it sends packets past the egress policy.';
    found.push(broken('browser', text, restart(guards)));
  }
  if (others.length > 0) {
    const text = 'The browser lacks flags that the service gives a browser which it starts.';
    found.push(better('browser', text, restart(others)));
  }
  return found;
}
