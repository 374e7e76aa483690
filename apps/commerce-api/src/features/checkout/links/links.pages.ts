import { Choice, Text } from '@platform/validation';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import {
  lineFields,
  looksForGoods,
  pickedTyped,
  pickingFor,
  pickingTexts,
  type PickingParts,
} from '../../sales/picking/public';
import { CheckoutLinkChange, CheckoutLinksQuery, linkStates, NewCheckoutLink } from './links.dto';
import { linkAt, type LinkParts } from './links.endpoints';
import { changeLink, createLink, linkById, linkListing, type StoredLink } from './links.sql';
import { linkTexts } from './links.texts';
import { LinkList, LinksView } from './links.view';

/** How lines of a link are called. */
const LINES = 'lines';

class LinksPageQuery extends CheckoutLinksQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being changed' }) id?: string;
}

/** The form of a link. */
class LinkEdit extends CheckoutLinkChange {
  @Text({ format: 'uuid' }) id!: string;
}

class LinkSwitch {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(linkStates) status!: (typeof linkStates)[number];
}

const labels = (t: Reader) => {
  const say = linkTexts(t);
  const pieces = pickingTexts(t).quantity;
  return {
    ...{ name: say.name, lines: say.goods, 'lines[][qty]': pieces, 'lines[][variant_id]': say.goods },
    'settings[redirect_url]': say.redirect,
  };
};

/** A box that is not ticked says no. */
const linkTyped = (typed: Typed): Typed => ({
  ...{ 'settings[require_address]': 'false', 'settings[show_coupon]': 'false' },
  ...pickedTyped(typed, LINES),
});

/** The lines of a link as its form would have them typed. */
const typedOf = ({ lines }: StoredLink): Typed =>
  lineFields(
    lines.map(({ variant_id, qty }) => ({ variant_id, qty: String(qty) })),
    LINES,
  );

const listPage = (parts: LinkParts & PickingParts) =>
  page({
    ...{ get: '/checkout-links', ability: 'checkout.write', query: LinksPageQuery, labels },
    title: ({ t }) => t.nav.places.checkoutLinks,
    load: async ({ viewer: { caller }, query: { id: asked, ...query }, typed }) => {
      const { database } = parts;
      const id = asked ?? idTyped(typed);
      const listed = await linkListing.page(database, caller.storeId, query);
      const link = id === undefined ? undefined : await linkById(database, caller.storeId, id);
      const names = new Map(link?.lines.map(({ variant_id, name }) => [variant_id, name]));
      const inForm = typed ?? (link ? typedOf(link) : {});
      const picking = await pickingFor(parts, caller, inForm, { list: LINES, names });
      const shown = linkAt(parts);
      return { ...listed, rows: listed.rows.map(shown), link: link && shown(link), picking };
    },
    view: LinksView,
    fragments: { list: LinkList },
  });

/** What the API's links are to people. */
export const linkPages = (parts: LinkParts & PickingParts): Pages => {
  const by = byOf(parts.clock);
  const all = listPage(parts);
  const to = '/checkout-links';
  const saved = ({ name }: StoredLink, { t }: { readonly t: Reader }) => ({ to, flash: linkTexts(t).saved({ name }) });
  const posted = actions({
    ...{ post: to, ability: 'checkout.write', of: all },
    on: {
      create: action({
        ...{ body: NewCheckoutLink, reads: linkTyped, looks: looksForGoods },
        run: ({ viewer, body, tx }) => createLink(tx, by(viewer), body),
        done: ({ id, name }, { t }) => ({ to: `${to}?id=${id}`, flash: linkTexts(t).created({ name }) }),
      }),
      save: action({
        ...{ body: LinkEdit, reads: linkTyped, looks: looksForGoods },
        run: ({ viewer, body: { id, ...change }, tx }) => changeLink(tx, by(viewer), id, change),
        done: saved,
      }),
      switch: action({
        body: LinkSwitch,
        run: ({ viewer, body: { id, status }, tx }) => changeLink(tx, by(viewer), id, { status }),
        done: saved,
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
