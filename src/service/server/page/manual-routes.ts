import { Type } from '@sinclair/typebox';
import { findPart, type PartName } from '#src/service/manual/parts.ts';
import { refuse } from '../http/problem.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND, withoutSlash } from '../http/unrouted.ts';
import { fileRoute, textAsset, whenAsked } from './assets.ts';
import type { WebPage } from './page-routes.ts';

/** Relative URLs from a page to the manual's parts and to the web page. */
interface Ways {
  readonly toParts: string;
  readonly toService: string;
}

/** Sends a part of the manual. */
type SendPart = ReturnType<typeof whenAsked>;

export interface ManualRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  readonly manual: {
    /** The first part of the manual, as it is beside the web page. */
    readonly sendFirst: SendPart;
    /** Any part, below that. */
    readonly sendNamed: (part: PartName) => SendPart;
  };
}

/** The parts of the manual, each made when it is first asked for. */
export function createManual({ files, policy }: WebPage): ManualRouteParts['manual'] {
  const fileOf = (begin: string) => [...files.keys()].find((path) => path.startsWith(begin)) ?? '';
  const servePart = (part: PartName, ways: Ways) =>
    whenAsked(async () => {
      const { partPage } = await import('#src/service/manual/page.ts');
      const page = partPage(part, { ...ways, style: fileOf('assets/manual-'), icon: fileOf('assets/icon-') });
      return textAsset('text/html; charset=utf-8', page);
    }, policy);
  const parts = new Map<PartName, SendPart>();
  return {
    sendFirst: servePart('operation', { toParts: 'help/', toService: '' }),
    sendNamed: (part) => parts.getOrInsertComputed(part, () => servePart(part, { toParts: '', toService: '../' })),
  };
}

/** `/help`, with which the manual begins, and `/help/NAME` for each part of it. */
export const manualRoutes = routesWith<ManualRouteParts>()
  .onTransform(ownHost)
  .get(
    '/help',
    async ({ headers, request, redirect, service }) => {
      const better = withoutSlash(request);
      return better === null ? await service.manual.sendFirst(headers) : redirect(better, 308);
    },
    fileRoute('readManual', 'The operator manual', Type.String({ contentMediaType: 'text/html' })),
  )
  .get(
    '/help/:part',
    async ({ params: { part: name }, headers, request, redirect, service }) => {
      const part = findPart(name);
      if (part === null) return refuse(NOT_FOUND);
      const better = withoutSlash(request) ?? (part === name ? null : part);
      return better === null ? await service.manual.sendNamed(part)(headers) : redirect(better, 308);
    },
    { detail: { hide: true } },
  );
