import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';
import { PROXY_SETTINGS } from './settings.ts';

const GATE_ROUTES = {
  heads: ['GET /api/admin/gate', 'POST /api/admin/gate/test'],
  load: async () => (await import('./gate-routes.ts')).gateRoutes,
} as const satisfies PartRoutes;

/** The gate of web proxies, which ask it by ICAP. */
export const proxyPart = definePart({
  name: 'proxy',
  settings: PROXY_SETTINGS,
  conditions: ['gate_unexamined', 'proxy_without_addresses', 'proxy_without_previews', 'proxy_asks_twice'],
  commands: { gate: async () => (await import('./command/gate.ts')).gateCommand },
  routes: [GATE_ROUTES],
  isOn: ({ icap_listen, icap_tls_listen }) => icap_listen.length + icap_tls_listen.length > 0,
  open: async (service) => (await import('./open-gate.ts')).openGate(service),
  examine: { gate: async () => (await import('./examine-gate.ts')).examineGate },
  warnings: async (config, logger) => (await import('./examine-gate.ts')).holdWarnings(config, logger),
});
