import alerts from './alerts.md' with { type: 'text' };
import operation from './operation.md' with { type: 'text' };
import type { PartName } from './parts.ts';
import proxies from './proxies.md' with { type: 'text' };

/** Each part as it is written, for a forge to show. Large: import it when somebody reads. */
export const TEXTS: Readonly<Record<PartName, string>> = { operation, proxies, alerts };
