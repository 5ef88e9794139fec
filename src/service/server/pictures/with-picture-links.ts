import type { CheckService } from '#src/checks/check/check.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { PictureLinks } from './picture-links.ts';

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
