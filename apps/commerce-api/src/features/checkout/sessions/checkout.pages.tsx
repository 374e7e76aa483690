import type { Database, Sql } from '@platform/data';
import { Redirect } from '@platform/http';
import { Text } from '@platform/validation';
import { ofSlug } from '../../../endpoint';
import { BEGUN, buyerAction, buyerForms, buyerPage, buyerStep, type BuyerAsked } from '../../../web/buyer.page';
import { readerOf, type Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { formFor } from '../../../web/form.state';
import { isPerson } from '../../../person';
import { payToken, type PayPages } from '../../sales/payments/public';
import { asSoldOut } from './cart';
import { isAway, placesOf, type PlaceFinder } from './cart-places';
import { BuyerForm, LinesForm, PlaceForm, ShippingForm } from './checkout.forms';
import { ShippingBlock, type Options } from './checkout.shipping';
import { checkoutTexts } from './checkout.texts';
import { CheckoutPage, placeName, type Checkout } from './checkout.view';
import { placeSession, type PlacingParts } from './place-session';
import { sessionKey, sessionRefusals, type SessionKey } from './session';
import { SessionCoupon, type SessionBuyer, type SessionPlacing } from './sessions.dto';
import type { Sessions } from './sessions.service';
import { forSaleBy } from './sessions.sql';

export interface CheckoutPageParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly sessions: Sessions;
  readonly placing: PlacingParts;
  readonly areas: PlaceFinder;
  readonly pages: PayPages;
}

/** What its page was asked to show besides the cart. */
class CheckoutAsked {
  @Text({ optional: true, max: 1 }) ship?: string;
  @Text({ optional: true, max: 80, trim: true }) place?: string;
}

type Linked = Pick<BuyerAsked, 'params'>;
const tokenIn = ({ params }: Linked): string => params.token ?? '';
const pathOf = (asked: Linked, more = ''): string => `/checkout/${encodeURIComponent(tokenIn(asked))}${more}`;

const keyIn = (asked: Linked): SessionKey => {
  const key = sessionKey(tokenIn(asked));
  if (!key) throw sessionRefusals.unknown();
  return key;
};

// The buyers of one store leave the others their turn
const tenantOf = (asked: Linked): string | undefined => sessionKey(tokenIn(asked))?.storeId;

const optionsOf = ({ sessions }: CheckoutPageParts, key: SessionKey, address: string): Promise<Options> =>
  sessions.rates(key, address).catch((failure: unknown): Options => {
    if (isAway(failure)) return 'away';
    throw failure;
  });

/** The cart, or the way to pay what it has become. Throws `NotFound`, `expired`. */
const opened = async (parts: CheckoutPageParts, asked: BuyerAsked): Promise<Checkout | Redirect> => {
  const key = keyIn(asked);
  const { view, needs, order } = await parts.sessions.opened(key);
  if (order) return new Redirect(`/pay/${payToken(parts.pages, order)}`, 303);
  if (view.state === 'expired') throw sessionRefusals.expired();
  const { ship, place } = asked.query as CheckoutAsked;
  const isAsked = needs.shipping && ship !== undefined;
  const options = isAsked ? await optionsOf(parts, key, asked.address) : undefined;
  const sought = place && { place, places: await placesOf(parts.areas, { key, address: asked.address, place }) };
  return { token: tokenIn(asked), view, needs, options, sought: sought || undefined };
};

const labels = (t: Reader) => {
  const say = checkoutTexts(t);
  return {
    ...{ 'items[][qty]': say.qty, 'buyer[name]': say.name, 'buyer[phone]': say.phone, 'buyer[email]': say.email },
    ...{ 'address[line]': say.line, address: say.line, place: say.place, choice: say.shipping, shipping: say.shipping },
    ...{ payment_method: say.payment, code: say.code, note: say.note, buyer: say.buyer, items: say.items },
  };
};
const said = (of: (say: ReturnType<typeof checkoutTexts>) => string, field?: string) => ({
  ...{ field, text: (t: Reader) => of(checkoutTexts(t)) },
});
const conflicts = {
  total_changed: said((say) => say.totalChanged),
  out_of_stock: said((say) => say.outOfStock),
  coupon_unavailable: said((say) => say.couponGone),
  quote_expired: said((say) => say.quoteExpired),
  provider_unavailable: said((say) => say.noProvider),
  store_closed: said((say) => say.closed),
  no_warehouse: said((say) => say.noProvider),
};

const checkoutPage = (parts: CheckoutPageParts) =>
  buyerPage<Checkout>({
    ...{ get: '/checkout/{token}', guard: 'buyer', query: CheckoutAsked, tenantOf },
    load: (asked) => opened(parts, asked),
    shop: ({ view }) => view.store,
    title: (_, t) => checkoutTexts(t).title,
    view: CheckoutPage,
    pictures: ({ view }) => view.lines.flatMap(({ image_url }) => image_url ?? []),
    ...{ labels, conflicts },
  });

/** The ways to send the cart, for the open page; without script its own page shows them. */
const shippingStep = (parts: CheckoutPageParts): Pages =>
  buyerStep({
    ...{ get: '/checkout/{token}/shipping', guard: 'buyer', tenantOf },
    go: async (asked) => {
      if (!asked.isPart) return new Redirect(pathOf(asked, '?ship=1#shipping'), 303);
      const found = await opened(parts, { ...asked, query: { ship: '1' } });
      if (found instanceof Redirect) return { anew: pathOf(asked) };
      const { token, view, options } = found;
      const t = readerOf(asked.guest.locale);
      const form = formFor('');
      return { t, part: <ShippingBlock {...{ token, view, options, form, t }} /> };
    },
  });

const setItems = ({ sessions }: CheckoutPageParts) =>
  buyerAction({
    body: LinesForm,
    run: async ({ params, body: { items, without } }) => {
      const kept = items.filter(({ variant_id }) => variant_id !== without);
      await sessions.setItems(keyIn({ params }), kept).catch(asSoldOut);
      return pathOf({ params });
    },
  });

/** `Coblong, Bandung`, where nobody knows more of it. */
const namesIn = (place: string): { district?: string; city: string | undefined } => {
  const [first, second] = place.split(',').map((name) => name.trim());
  return second ? { district: first, city: second } : { city: first };
};

type Where = NonNullable<BuyerForm['address']>;
interface Going {
  readonly address: Where | undefined;
  /** What was written may mean several places. */
  readonly unsure: boolean;
}

/** Where it goes, as far as it is known: what was known of a place that is still called so is kept. */
const addressIn = async (
  { sessions, areas }: CheckoutPageParts,
  { key, ip }: { readonly key: SessionKey; readonly ip: string },
  { address, place, asked }: BuyerForm,
): Promise<Going> => {
  if (!address) return { address: undefined, unsure: false };
  const isChosen = address.area_id !== undefined && place === asked;
  if (isChosen || place === undefined) return { address, unsure: false };
  const { address: before } = (await sessions.opened(key)).view;
  if (before && placeName(before) === place) return { address: { ...before, ...address }, unsure: false };
  const places = await placesOf(areas, { key, address: ip, place });
  const [sure] = places.length === 1 ? places : [];
  const known = sure ? { area_id: sure.id } : { area_id: undefined, ...namesIn(place) };
  return { address: { ...address, ...known }, unsure: places.length > 1 };
};

const setBuyer = (parts: CheckoutPageParts) =>
  buyerAction({
    body: BuyerForm,
    run: async ({ params, address: ip, body }) => {
      const key = keyIn({ params });
      const { address, unsure } = await addressIn(parts, { key, ip }, body);
      await parts.sessions.setBuyer(key, { buyer: body.buyer, address } as SessionBuyer);
      if (unsure) return pathOf({ params }, `?place=${encodeURIComponent(body.place ?? '')}#buyer`);
      return pathOf({ params }, '?ship=1#shipping');
    },
  });

const setShipping = ({ sessions }: CheckoutPageParts) =>
  buyerAction({
    body: ShippingForm,
    run: async ({ params, body: { choice } }) => {
      const [quote_id = '', ...option] = choice.split(' ');
      await sessions.setShipping(keyIn({ params }), { quote_id, option: option.join(' ') });
      return pathOf({ params }, '#payment');
    },
  });

const place = ({ database, placing, pages }: CheckoutPageParts) =>
  buyerAction({
    body: PlaceForm,
    run: async ({ params, address: ip, body: { choice, note } }) => {
      const [method, total] = choice.split(' ');
      const payment_method = method as SessionPlacing['payment_method'];
      const body = { payment_method, expected_total: Number(total), note };
      const key = keyIn({ params });
      const order = await database.tx((tx) => placeSession(tx, placing, { key, ip, body }));
      return `/pay/${payToken(pages, order)}`;
    },
  });

/** A link that sells begins a cart of whoever opens it, and shows programs that make a preview of it what is sold. */
const linkStep = ({ database, sessions }: CheckoutPageParts): Pages =>
  buyerStep({
    ...{ get: '/l/{code}', guard: 'visitor', requests: BEGUN, tenantOf: ({ params: { code } }) => ofSlug(code) },
    go: async ({ params: { code = '' }, userAgent }) => {
      if (code.length > 32) throw sessionRefusals.unknown();
      if (!isPerson(userAgent)) {
        const { slug, product } = await forSaleBy(database, code);
        return new Redirect(`/s/${slug}${product === null ? '' : `/products/${encodeURIComponent(product)}`}`, 303);
      }
      const { token } = await sessions.start({ link_code: code });
      return new Redirect(`/checkout/${token}`, 303);
    },
  });

/** From a link that sells to an order, on one page. */
export const checkoutPages = (parts: CheckoutPageParts): Pages => {
  const of = checkoutPage(parts);
  const { sessions } = parts;
  const changes = { items: setItems(parts), buyer: setBuyer(parts), shipping: setShipping(parts) };
  const coupon = (code: string | undefined, asked: Linked) => sessions.setCoupon(keyIn(asked), code);
  const coupons = {
    apply: buyerAction({
      body: SessionCoupon,
      run: async ({ params, body: { code } }) => {
        await coupon(code, { params });
        return pathOf({ params }, '#payment');
      },
    }),
    remove: buyerAction({
      run: async ({ params }) => {
        await coupon(undefined, { params });
        return pathOf({ params }, '#payment');
      },
    }),
  };
  const all = [
    ...[linkStep(parts), of, shippingStep(parts)],
    buyerForms({ post: '/checkout/{token}', of, on: changes }),
    buyerForms({ post: '/checkout/{token}/coupon', of, on: coupons }),
    buyerForms({ post: '/checkout/{token}/place', of, on: { place: place(parts) } }),
  ];
  return (kit) => all.flatMap((each) => each(kit));
};
