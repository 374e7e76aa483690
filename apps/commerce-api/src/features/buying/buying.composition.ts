import type { Area, AreaParts } from '../../area';
import type { GatewayArea } from '../gateways/gateways.composition';
import type { ProofsService } from '../paying/proofs/public';
import { invoicePage } from './orders/invoice.pages';
import { payPages } from './orders/pay.pages';
import { trackPage } from './orders/track.pages';

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly gateways: Pick<GatewayArea, 'accounts' | 'attempts' | 'pages'>;
  readonly proofs: Pick<ProofsService, 'attach'>;
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
