import { NotFound } from '@platform/errors';
import { Redirect } from '@platform/http';
import { buyerStep } from '../../../web/buyer.page';
import type { Pages } from '../../../web/kit';
import type { ShortLinks } from './short.links';

/** Longer ones are nobody's. */
const LONGEST = 64;

/** A short link: counts whoever follows it, and leads to where its store has said. */
export const shortLinkPage = (links: Pick<ShortLinks, 'follow'>): Pages =>
  buyerStep({
    get: '/t/{code}',
    guard: 'visitor',
    go: async ({ params: { code = '' }, userAgent }) => {
      if (code.length > LONGEST) throw new NotFound('Short link not found');
      return new Redirect(await links.follow(code, userAgent), 302);
    },
  });
