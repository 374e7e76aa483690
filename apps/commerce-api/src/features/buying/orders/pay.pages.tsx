import { Redirect } from '@platform/http';
import { isUuid } from '@platform/runtime';
import { Choice, Int } from '@platform/validation';
import type { BuyerAsked } from '../../../web/buyer.page';
import { buyerAction, buyerForms, buyerPage, buyerStep } from '../../../web/buyer.page';
import { readerOf, type Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import type { Attempts } from '../../gateways/attempts/public';
import type { Gateways, GatewayCode } from '../../paying/methods/public';
import { PROOF_FILE, ProofBody, type ProofsService } from '../../paying/proofs/public';
import { boughtBy, buyerWrites, byLink, type BoughtParts } from './bought';
import { buyingTexts } from './buying.texts';
import { paceOf, payStateOf, payStates, type Pace, type PayState } from './pay.state';
import { PayPage, PayStanding } from './pay.view';
import { waysOf } from './pay.ways';

export interface PayParts extends BoughtParts {
  readonly gateways: Gateways;
  readonly attempts: Pick<Attempts, 'checkout' | 'check'>;
  readonly proofs: Pick<ProofsService, 'attach'>;
}

class PayAsked {
  @Choice(['a', 'b', 'c']) method!: GatewayCode;
}

/** Since when a page is open, how it asks, and what it has seen. */
class PollAsked {
  @Int({ optional: true, min: 0, max: 8_640_000_000_000_000 }) since?: number;
  @Choice(['quick', 'slow'], { optional: true }) pace?: Pace;
  @Choice(payStates, { optional: true }) seen?: PayState;
}

const tokenIn = ({ params }: Pick<BuyerAsked, 'params'>): string => params.token ?? '';
const pageOf = (token: string): string => `/pay/${encodeURIComponent(token)}`;

const labels = (t: Reader) => {
  const { file, amount, bank } = buyingTexts(t);
  return { file, amount, bank };
};
const said = (name: 'tooMany' | 'isPaid' | 'noWay' | 'over' | 'full' | 'wrongType' | 'tooLarge', field?: string) => ({
  ...{ field, text: (t: Reader) => buyingTexts(t)[name] },
});
const conflicts = {
  forbidden: { text: (t: Reader) => buyingTexts(t).says.suspended },
  ...{ too_many_proofs: said('tooMany'), paid: said('isPaid'), provider_unavailable: said('noWay') },
  ...{ invalid_transition: said('over'), expired: said('over'), paymentRequired: said('full') },
  ...{ unsupportedMedia: said('wrongType', 'file'), tooLarge: said('tooLarge', 'file') },
};

const shownPage = (parts: PayParts) =>
  buyerPage({
    ...{ get: '/pay/{token}', ...byLink },
    load: async (asked) => {
      const bought = await boughtBy(parts, tokenIn(asked));
      return { ...bought, ways: await waysOf(parts.database, parts.gateways, bought) };
    },
    shop: ({ shop }) => shop,
    title: ({ order: { number } }, t) => buyingTexts(t).order({ number }),
    view: PayPage,
    ...{ labels, conflicts },
  });

/** Part of an open page; once the payment stands otherwise the whole of it is shown anew. */
const polled = (parts: PayParts): Pages =>
  buyerStep({
    ...{ get: '/pay/{token}/status', ...byLink },
    query: PollAsked,
    go: async (asked) => {
      const token = tokenIn(asked);
      const bought = await boughtBy(parts, token);
      const { guest, isPart, query } = asked;
      if (!isPart) return new Redirect(pageOf(token), 303);
      const state = payStateOf(bought);
      if (query.seen !== undefined && state !== query.seen) return { anew: pageOf(token) };
      const since = query.since ?? bought.now.getTime();
      const pace = paceOf(since, bought.now);
      if (pace !== undefined && pace === query.pace) return 'same';
      const t = readerOf(guest.locale, bought.shop.timezone, bought.now);
      return { t, part: <PayStanding {...{ token, state, since, pace, t }} /> };
    },
  });

/** Back from a provider, or sure to have paid: it is asked now, and whatever it says the page is shown. */
const finished = (parts: PayParts): Pages =>
  buyerStep({
    ...{ get: '/pay/{token}/finish', ...byLink },
    go: async (asked) => {
      const token = tokenIn(asked);
      const { storeId, order } = await boughtBy(parts, token);
      const waiting = order.payments.filter(({ status, url }) => status === 'pending' && url !== null).at(-1);
      // Who asks twice in ten seconds, or while the provider is away, sees what is known
      if (waiting) await parts.attempts.check(storeId, waiting.id, asked.signal).catch(() => undefined);
      return new Redirect(pageOf(token), 303);
    },
  });

/** The id of a proof is that of its form: sent twice it is one. */
const keyOf = (key: string): string | undefined => {
  const id = key.slice(0, 36);
  return isUuid(id) ? id : undefined;
};

/** What a buyer sees of the payment of an order. */
export const payPages = (parts: PayParts): Pages => {
  const shown = shownPage(parts);
  const forms = buyerForms({
    post: '/pay/{token}/proof',
    of: shown,
    files: { ...PROOF_FILE, with: 'proof' },
    on: {
      pay: buyerAction({
        body: PayAsked,
        run: async ({ params, body }) => {
          const token = tokenIn({ params });
          await parts.attempts.checkout({ pay_token: token, method: body.method });
          return pageOf(token);
        },
      }),
      proof: buyerAction({
        body: ProofBody,
        run: async ({ params, body, files, address, key }) => {
          const token = tokenIn({ params });
          const bought = await boughtBy(parts, token);
          const by = buyerWrites(bought, address);
          await parts.proofs.attach(by, bought.order.id, files[0], { ...body, id: keyOf(key) });
          return pageOf(token);
        },
      }),
    },
  });
  return (kit) => [shown, polled(parts), finished(parts), forms].flatMap((each) => each(kit));
};
