import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { PrintBar } from '../../../web/ui/print';
import { Facts } from '../../../web/ui/table';
import type { Paper } from './paper';

const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <>
    {lines.map((line) => (
      <p dir="auto">{line}</p>
    ))}
  </>
);

const Goods = ({ columns, rows }: Pick<Paper, 'columns' | 'rows'>): JSX.Element => (
  <table>
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col">{column}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          {row.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

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
