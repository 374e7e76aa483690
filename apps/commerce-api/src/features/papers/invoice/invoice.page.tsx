import { rendered, Reply, type Page } from '@platform/http';
import type { JSX } from 'preact';
import { createHash } from 'node:crypto';
import type { Named, Paper } from './paper';

const STYLE = `
  body { font: 14px/1.45 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; }
  header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; }
  h1, h2, p { margin: 0 0 .3rem; overflow-wrap: anywhere; } h1 { font-size: 1.4rem; } h2 { font-size: 1rem; }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
  td, th { padding: .35rem .4rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
  td:first-child, th:first-child { text-align: left; white-space: pre-line; overflow-wrap: anywhere; }
  thead { display: table-header-group; } tr { break-inside: avoid; }
  dl { display: grid; grid-template-columns: auto auto; gap: .15rem 1rem; margin: 0; }
  dt { color: #555; } dd { margin: 0; text-align: right; } .sums { margin-left: auto; width: max-content; }
  .total { font-weight: 700; } .mark { font-weight: 700; letter-spacing: .1em; }`;

/** No script runs on a paper, and it loads nothing. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const Facts = ({ facts, name }: { readonly facts: readonly Named[]; readonly name?: string }): JSX.Element => (
  <dl class={name}>
    {facts.map(([term, value]) => (
      <>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** Lines of a letter. */
export const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <>
    {lines.map((line) => (
      <p dir="auto">{line}</p>
    ))}
  </>
);

/** What was bought, as it is printed. */
export const Goods = ({ columns, rows }: Pick<Paper, 'columns' | 'rows'>): JSX.Element => (
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

/** What is on the paper, without the page around it. */
export const PaperBody = ({ paper }: { readonly paper: Paper }): JSX.Element => (
  <>
    <header>
      <div>
        <h2 dir="auto">{paper.store}</h2>
        <Lines lines={paper.storeLines} />
      </div>
      <div>
        <h1>{paper.title}</h1>
        {paper.mark === '' ? null : <p class="mark">{paper.mark}</p>}
        <Facts facts={paper.facts} />
      </div>
    </header>
    <h2>{paper.buyer.title}</h2>
    <Lines lines={paper.buyer.lines} />
    <Goods columns={paper.columns} rows={paper.rows} />
    <Facts name="sums" facts={paper.sums} />
    <Facts name="sums total" facts={[paper.total]} />
    <Facts name="sums" facts={paper.afterwards} />
    {paper.accounts.lines.length === 0 ? null : <h2>{paper.accounts.title}</h2>}
    <Lines lines={paper.accounts.lines} />
  </>
);

const Document = ({ paper }: { readonly paper: Paper }): JSX.Element => (
  <html lang={paper.locale}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${paper.title} ${paper.facts[0]?.[1] ?? ''}`}</title>
      {/* Not a user's text: the hash in the policy is its hash */}
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
    <body>
      <PaperBody paper={paper} />
    </body>
  </html>
);

/** A page to be printed. */
export const invoicePage = (paper: Paper): Reply<Page> =>
  new Reply(rendered(<Document paper={paper} />), {
    headers: {
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
    },
  });
