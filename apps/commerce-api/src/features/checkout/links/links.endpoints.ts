import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { CheckoutLink, CheckoutLinkChange, CheckoutLinksQuery, NewCheckoutLink } from './links.dto';
import { changeLink, createLink, disableLink, linkListing, type StoredLink } from './links.sql';

export interface LinkParts extends Pick<AreaParts, 'database' | 'clock'> {
  /** Of the shop's pages. */
  readonly publicUrl: string | undefined;
}

/** With where it opens. */
export const linkAt =
  ({ publicUrl }: Pick<LinkParts, 'publicUrl'>) =>
  (link: StoredLink): CheckoutLink => ({
    ...link,
    url: publicUrl === undefined ? null : `${publicUrl}/l/${link.code}`,
  });

export const linksEndpoints = ({ database, clock, publicUrl }: LinkParts): Endpoint[] => {
  const by = byOf(clock);
  const shown = linkAt({ publicUrl });
  return area({ prefix: '/api/checkout/links', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'Direct-buy checkout links',
      guard: 'member',
      query: CheckoutLinksQuery,
      reply: pageOf(CheckoutLink),
      refuses: [],
      handle: async ({ caller, query }) => {
        const page = await linkListing.page(database, caller.storeId, query);
        return { ...page, rows: page.rows.map(shown) };
      },
    }),
    endpoint({
      post: '',
      summary: 'Create checkout link',
      guard: 'checkout.write',
      status: 201,
      body: NewCheckoutLink,
      reply: dataOf(CheckoutLink, 'Checkout link created'),
      refuses: ['notFound'],
      handle: async (input) => shown(await database.tx((tx) => createLink(tx, by(input), input.body))),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update checkout link',
      guard: 'checkout.write',
      body: CheckoutLinkChange,
      reply: dataOf(CheckoutLink, 'Checkout link updated'),
      refuses: ['notFound'],
      handle: async (input) => shown(await database.tx((tx) => changeLink(tx, by(input), input.params.id, input.body))),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Disable checkout link',
      guard: 'checkout.write',
      reply: done('Checkout link disabled'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => disableLink(tx, by(input), input.params.id)),
    }),
  ]);
};
