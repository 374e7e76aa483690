import { NotFound } from '@platform/errors';
import { Redirect } from '@platform/http';
import { Int } from '@platform/validation';
import type { JSX } from 'preact';
import { buyerPage, buyerStep, type BuyerShown } from '../../../web/buyer.page';
import type { Pages } from '../../../web/kit';
import { Bio } from './bio.view';
import type { PublicBiolink, PublicBiolinks } from './public.pages';

/** Longer slugs are nobody's. */
const LONGEST = 100;

class GoQuery {
  @Int({ optional: true, min: 0, max: 11, description: 'Which of several places of one block' }) to?: number;
}

interface Seen {
  readonly page: PublicBiolink;
  readonly names: ReadonlyMap<string, string>;
}

const BioPage = ({ data: { page, names }, t }: BuyerShown<Seen>): JSX.Element => (
  <Bio {...{ page, names, t }} blocks={page.blocks} />
);

const slugIn = ({ slug = '' }: Readonly<Record<string, string>>): string => {
  if (slug.length > LONGEST || slug.includes('\0')) throw new NotFound('Page not found');
  return slug.toLowerCase();
};

/** A page of links for everybody: each view and each click of a person is counted, so no cache keeps it. */
export const bioPages = (biolinks: PublicBiolinks): Pages => {
  const page = buyerPage({
    ...{ get: '/b/{slug}', guard: 'visitor' },
    load: async ({ params, userAgent }): Promise<Seen> => {
      const found = await biolinks.view(slugIn(params), userAgent);
      return { page: found, names: await biolinks.names(found) };
    },
    shop: ({ page: { store, phone } }) => ({ name: store, phone }),
    title: ({ page: { title } }) => title,
    view: BioPage,
    pictures: ({ page: { avatar_url } }) => (avatar_url === null ? [] : [avatar_url]),
  });
  const go = buyerStep({
    ...{ get: '/b/{slug}/go/{linkId}', guard: 'visitor', query: GoQuery },
    go: async ({ params, query: { to }, userAgent }) =>
      new Redirect(await biolinks.follow(slugIn(params), params.linkId ?? '', { userAgent, to }), 302),
  });
  return (kit) => [page, go].flatMap((pages) => pages(kit));
};
