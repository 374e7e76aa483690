import type { Area, AreaParts } from '../../area';
import { invoicePage } from './orders/invoice.pages';
import { payPages, type PayParts } from './orders/pay.pages';
import { trackPage } from './orders/track.pages';

interface Parts extends Pick<AreaParts, 'database' | 'clock'>, Pick<PayParts, 'proofs'> {
  readonly gateways: Pick<PayParts, 'attempts' | 'pages'> & { readonly accounts: PayParts['gateways'] };
}

/** What buyers see of what they have ordered. */
export const composeBuying = ({ database, clock, gateways: { accounts, ...paid }, proofs }: Parts): Area => {
  const parts = { database, clock, pages: paid.pages };
  return {
    endpoints: [],
    components: [],
    abilities: [],
    pages: [payPages({ ...parts, ...paid, gateways: accounts, proofs }), trackPage(parts), invoicePage(parts)],
  };
};
