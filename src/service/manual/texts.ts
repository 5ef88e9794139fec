import alerts from './alerts.md' with { type: 'text' };
import blocking from './blocking.md' with { type: 'text' };
import browser from './browser.md' with { type: 'text' };
import clients from './clients.md' with { type: 'text' };
import console from './console.md' with { type: 'text' };
import data from './data.md' with { type: 'text' };
import dropIn from './drop-in.md' with { type: 'text' };
import fleet from './fleet.md' with { type: 'text' };
import installing from './installing.md' with { type: 'text' };
import monitoring from './monitoring.md' with { type: 'text' };
import operation from './operation.md' with { type: 'text' };
import packs from './packs.md' with { type: 'text' };
import type { PartName } from './parts.ts';
import privacy from './privacy.md' with { type: 'text' };
import proxies from './proxies.md' with { type: 'text' };
import reference from './reference.md' with { type: 'text' };
import sizing from './sizing.md' with { type: 'text' };
import threats from './threats.md' with { type: 'text' };
import tuning from './tuning.md' with { type: 'text' };

/** Source of each part, in Markdown. Large: import it lazily. */
export const TEXTS: Readonly<Record<PartName, string>> = {
  operation,
  installing,
  proxies,
  console,
  clients,
  tuning,
  blocking,
  'drop-in': dropIn,
  browser,
  packs,
  monitoring,
  alerts,
  data,
  privacy,
  reference,
  sizing,
  threats,
  fleet,
};
