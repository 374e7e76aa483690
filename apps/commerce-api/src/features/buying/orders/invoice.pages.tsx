import type { JSX } from 'preact';
import { buyerPage, type BuyerShown } from '../../../web/buyer.page';
import type { Pages } from '../../../web/kit';
import { invoiceOf, paperOf, PaperBody, type Paper } from '../../papers/invoice/public';
import { boughtBy, byLink, type Bought, type BoughtParts } from './bought';
import { buyingTexts } from './buying.texts';
import { OtherPages } from './parts.view';

interface Invoiced extends Bought {
  readonly paper: Paper;
}

const InvoicePage = ({ data: { token, paper }, t }: BuyerShown<Invoiced>): JSX.Element => {
  const say = buyingTexts(t);
  return (
    <>
      {/* In the language of the store, as it is printed */}
      <div class="panel paper" role="region" aria-label={say.invoice} tabIndex={0} lang={paper.locale}>
        <PaperBody paper={paper} />
      </div>
      <OtherPages {...{ token, t }} of="invoice" />
    </>
  );
};

/** The invoice of an order; once it is paid its receipt. */
export const invoicePage = (parts: BoughtParts): Pages =>
  buyerPage({
    ...{ get: '/invoice/{token}', ...byLink },
    load: async ({ params: { token = '' } }) => {
      const bought = await boughtBy(parts, token);
      return { ...bought, paper: paperOf(await invoiceOf(parts.database, bought.storeId, bought.order.id)) };
    },
    shop: ({ shop }) => shop,
    title: ({ order: { number } }, t) => `${buyingTexts(t).invoice} ${number}`,
    view: InvoicePage,
  });
