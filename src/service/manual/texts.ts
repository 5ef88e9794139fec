import alerts from './alerts.md' with { type: 'text' };
import blocking from './blocking.md' with { type: 'text' };
import clients from './clients.md' with { type: 'text' };
import data from './data.md' with { type: 'text' };
import fleet from './fleet.md' with { type: 'text' };
import installing from './installing.md' with { type: 'text' };
import operation from './operation.md' with { type: 'text' };
import packs from './packs.md' with { type: 'text' };
import type { PartName } from './parts.ts';
import privacy from './privacy.md' with { type: 'text' };
import proxies from './proxies.md' with { type: 'text' };
import sizing from './sizing.md' with { type: 'text' };
import teaching from './teaching.md' with { type: 'text' };
import threats from './threats.md' with { type: 'text' };
import watching from './watching.md' with { type: 'text' };

/** Each part as it is written, for a forge to show. Large: import it when somebody reads. */
export const TEXTS: Readonly<Record<PartName, string>> = {
  operation,
  installing,
  proxies,
  clients,
  teaching,
  blocking,
  packs,
  watching,
  alerts,
  data,
  privacy,
  sizing,
  threats,
  fleet,
};
