import { memoizeLatest } from '#src/core/base/memoize-latest.ts';
import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/special-names.ts';
import { impossibleName } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { innerTexts } from './inner-texts.ts';

const MAX_DEPTH = 5;
const MAX_TARGETS = 8;

/**
 * Returns the URLs that a URL wraps, the outermost first: by link protection, click trackers, search engines, AMP,
 * archives and redirectors, with the target in a parameter, the path or the fragment (plain, percent-encoded, base64,
 * relative to the scheme, at known services also without one), and by script injected into a vulnerable page. At most
 * eight, five levels deep. Works offline: what only a server can resolve is not unwrapped. Never throws.
 */
export const unwrap: (target: Target) => readonly Target[] = memoizeLatest((target: Target) => {
  const found = [target];
  for (let depth = 0, start = 0; depth < MAX_DEPTH && start < found.length; depth++) {
    const level = found.slice(start);
    start = found.length;
    for (const inner of level.flatMap(innerTargets)) {
      if (found.length <= MAX_TARGETS && found.every(({ url }) => url !== inner.url)) found.push(inner);
    }
  }
  return found.slice(1);
});

function innerTargets(target: Target): Target[] {
  const { host, path, query, input, url } = target;
  const wrapper = forwarderOf(host.text, path);
  const hash = input.indexOf('#');
  const fragment = hash === -1 ? '' : input.slice(hash + 1);
  const { urls, bare } = innerTexts({ url, host: host.text, path, query, fragment }, wrapper);
  const targets = urls.flatMap(targetOf);
  return targets.length > 0 ? targets : bare.flatMap(targetOf).filter(isNamed);
}

function targetOf(text: string): Target[] {
  const target = parseTarget(text.trim());
  return isTargetProblem(target) ? [] : [target];
}

/** Returns true for a host that a name server may know; `index.php` and version numbers are none. */
function isNamed({ host }: Target): boolean {
  return impossibleName(host) === null || SPECIAL_TOP_LABELS.has(host.text.slice(host.text.lastIndexOf('.') + 1));
}
