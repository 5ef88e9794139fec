import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { CheckService } from '#src/checks/check/check.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';

/** Links to pictures that need no key, each for one picture and a day. */
export interface PictureLinks {
  /** Returns the path of a picture below that of the service. */
  pathOf(requestId: string): string;
  /** Returns true if a link of this service to this picture holds. */
  holds(requestId: string, until: number, signature: string): boolean;
}

/** `secret` is asked for with the first link. */
export function createPictureLinks(secret: () => Buffer, clock: Pick<Clock, 'now'>): PictureLinks {
  let key: Buffer | null = null;
  const sign = (requestId: string, until: number) => {
    key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'lurecheck picture links', 32));
    return createHmac('sha256', key).update(`${requestId} ${until}`).digest();
  };
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  return {
    pathOf(requestId) {
      const until = nowSeconds() + DAY_MS / 1000;
      return `/api/screenshots/${requestId}?until=${until}&signature=${sign(requestId, until).toString('base64url')}`;
    },
    holds(requestId, until, signature) {
      const given = Buffer.from(signature, 'base64url');
      const own = sign(requestId, until);
      return until >= nowSeconds() && given.length === own.length && timingSafeEqual(given, own);
    },
  };
}

/** Returns a check service whose answers have links to the pictures that are kept. */
export function withPictureLinks(
  { check }: CheckService,
  pictures: Pick<PictureStore, 'has'>,
  { pathOf }: Pick<PictureLinks, 'pathOf'>,
  basePath: string,
): CheckService {
  return {
    async check(request) {
      const result = await check(request);
      const { render } = result.analysis_details;
      if (!render?.screenshot || !pictures.has(request.visibility, result.request_id)) return result;
      const screenshot = { ...render.screenshot, url: `${basePath}${pathOf(result.request_id)}` };
      return { ...result, analysis_details: { ...result.analysis_details, render: { ...render, screenshot } } };
    },
  };
}
