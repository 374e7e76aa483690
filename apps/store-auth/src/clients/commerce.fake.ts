import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StockLine, StockRow } from './commerce.client';

interface Item {
  readonly product_id: string;
  readonly variant_id: string;
  readonly sku: string;
  readonly stock: number;
}

export interface ReceivedQuestion {
  readonly authorization: string | undefined;
  readonly store: string;
  readonly body: { readonly items: readonly StockLine[]; readonly warehouse_id?: string };
}

/** How it treats the next questions. */
export type Mood = { readonly status: number } | 'hang' | 'answer';

const UNKNOWN = { product_id: null, variant_id: null, sku: null, stock: 0 };

type Catalogue = Readonly<Record<string, readonly Item[]>>;

const isFor = ({ variant_id, sku, product_id }: Item, line: StockLine): boolean =>
  line.variant_id === variant_id || line.sku === sku || line.product_id === product_id;

/** Rows in the order of the lines, lines of one item summed, unknown ones 0. */
const rowsFor = (items: readonly Item[], lines: readonly StockLine[]): StockRow[] => {
  const found = lines.map((line) => ({ line, item: items.find((item) => isFor(item, line)) }));
  return found.map(({ line: { qty, ...ids }, item }) => {
    const wanted = found.filter((each) => each.item === item).reduce((sum, each) => sum + each.line.qty, 0);
    const { product_id, variant_id, sku, stock } = { ...UNKNOWN, ...ids, ...item };
    return { product_id, variant_id, sku, qty, stock, available: item !== undefined && wanted <= stock };
  });
};

/** The stock route of commerce-api over HTTP. */
export const startFakeCommerce = async (catalogue: Catalogue) => {
  const questions: ReceivedQuestion[] = [];
  const state: { mood: Mood } = { mood: 'answer' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { authorization, 'x-store-id': store } = request.headers;
        const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedQuestion['body'];
        const question = { authorization, store: String(store), body };
        questions.push(question);
        if (state.mood === 'hang') return;
        const data = rowsFor(catalogue[question.store] ?? [], body.items);
        const meta = { all_available: data.every(({ available }) => available) };
        response.writeHead(state.mood === 'answer' ? 200 : state.mood.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ status: 'success', message: 'OK', data, meta }));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    state,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
