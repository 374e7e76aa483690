import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { PrintBar } from '../../../web/ui/print';
import { Facts } from '../../../web/ui/table';
import { Goods, Lines } from './invoice.page';
import type { Paper } from './paper';

/** An invoice in the language of the store, to be printed. */
export const InvoiceSheet = ({
  data: { paper },
  params,
}: Shown<{ readonly paper: Paper; readonly number: string }>): JSX.Element => (
  <>
    <PrintBar back={`/orders/${params.id}`} />
    <article class="sheet" lang={paper.locale}>
      <h2 dir="auto">{paper.store}</h2>
      <Lines lines={paper.storeLines} />
      <p>
        <b>
          {paper.title} {paper.mark}
        </b>
      </p>
      <Facts facts={paper.facts} />
      <h3>{paper.buyer.title}</h3>
      <Lines lines={paper.buyer.lines} />
      <Goods columns={paper.columns} rows={paper.rows} />
      <Facts facts={[...paper.sums, paper.total, ...paper.afterwards]} />
      {paper.accounts.lines.length === 0 ? null : <h3>{paper.accounts.title}</h3>}
      <Lines lines={paper.accounts.lines} />
    </article>
  </>
);
