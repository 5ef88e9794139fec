import { definePart } from '#src/parts/define-part.ts';

/** Upgrades and the system service: the service on its host. */
export const hostPart = definePart({
  name: 'host',
  commands: {
    upgrade: async () => (await import('./command/upgrade.ts')).upgradeCommand,
    service: async () => (await import('./command/service.ts')).serviceCommand,
    healthcheck: async () => (await import('./command/healthcheck.ts')).healthcheckCommand,
    verify: async () => (await import('./command/verify.ts')).verifyCommand,
  },
  examine: { service: async () => (await import('./examine-host.ts')).examineService },
});
