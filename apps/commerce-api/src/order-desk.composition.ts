import type { Database, Transaction } from '@platform/data';
import type { Caller } from './abilities';
import { ProductsRepository, ProductsService, type VariantRow } from './features/catalogue/products/public';
import type { composeDigital } from './features/digital/digital.composition';
import type { composeMedia } from './features/media/media.composition';
import type { composePapers } from './features/papers/papers.composition';
import { ProofsService } from './features/paying/proofs/public';
import type { composeShipping } from './features/shipping/shipping.composition';
import { recordWaybill } from './features/shipping/shipments/public';
import { within } from './web/within';

/** So many goods of a search, for who writes an order. */
const FOUND = 8;

const goodsIn = (database: Database) => {
  const products = new ProductsService(new ProductsRepository(database), undefined);
  return async (caller: Caller, q: string) => {
    const { data } = await products.list(caller, { q, view: 'variants', status: 'active', per_page: FOUND });
    return data as VariantRow[];
  };
};

/** Transfers that buyers have shown, for the page of their order. */
const proofsIn = (database: Database, { library, privately }: ReturnType<typeof composeMedia>) => ({
  proofUrl: async (caller: Caller, mediaId: string) =>
    privately.shownTo(caller, await library.find(database, caller.storeId, mediaId)).url,
  reviews: (tx: Transaction, ...[by, orderId, review]: Parameters<ProofsService['review']>) =>
    new ProofsService(within(tx), library).review(by, orderId, review),
});

interface Beside {
  readonly media: ReturnType<typeof composeMedia>;
  readonly papers: Pick<ReturnType<typeof composePapers>, 'sendInvoice'>;
  readonly digital: Pick<ReturnType<typeof composeDigital>, 'resend'>;
  readonly shipping: Pick<ReturnType<typeof composeShipping>, 'told'>;
}

/** What other areas do for whoever works on an order. */
export const orderDesk = (database: Database, { media, papers, digital, shipping }: Beside) => ({
  ...{ goods: goodsIn(database), rates: shipping.told.rates, ships: recordWaybill, ...proofsIn(database, media) },
  sends: { invoice: papers.sendInvoice, download: digital.resend },
});
