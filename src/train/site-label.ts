import { isTargetProblem, parseTarget } from '#src/url/target.ts';

/** The label that the owner of `host` chose: `example` for `www.example.co.uk`; the host itself where none is known. */
export function siteLabel(host: string): string {
  const target = parseTarget(`http://${host}/`);
  if (isTargetProblem(target) || target.suffix === '') return host;
  return target.site.slice(0, -target.suffix.length - 1);
}
