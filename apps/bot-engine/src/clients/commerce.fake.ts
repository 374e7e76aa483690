import { internalVerifier } from '@platform/auth';
import { systemClock, type Clock } from '@platform/runtime';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  areasFor,
  broughtBy,
  FakeOrders,
  fakeShop,
  goesTo,
  invalid,
  Refusal,
  type FakeArea,
  type FakeShop,
} from './commerce.fake.shop';
import type { CatalogueRow } from './commerce.client';

export { fakeProduct, fakeShop, type FakeOrder, type FakeShop } from './commerce.fake.shop';

export const FAKE_SECRET = 'a secret of the bot';

/** How it treats calls: `late` does what was asked and never answers, `cut` does it and ends the connection. */
export interface Mood {
  readonly does: 'hang' | 'late' | 'cut' | number;
  /** Beginning of the path; all unless given. */
  readonly path?: string;
  readonly store?: string;
  readonly body?: RegExp;
}

export interface SeenByCommerce {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly store: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Json = Record<string, unknown>;
interface Call {
  readonly url: URL;
  readonly shop: FakeShop | undefined;
  readonly body: Json;
}
type Answer = [number, object];

const ok = (data: unknown, meta?: object): Answer => [200, { status: 'success', message: 'OK', data, meta }];
const NO_ROUTE: Answer = [404, { status: 'error', message: 'Not found', code: 'not_found' }];

const shopOf = ({ shop }: Call): FakeShop => {
  if (!shop) throw new Refusal(404, 'not_found', { message: 'Store not found' });
  return shop;
};

const rowOf = ({ productId, variantId, updatedAt, ...row }: CatalogueRow) => ({
  ...row,
  ...{ product_id: productId, variant_id: variantId, updated_at: updatedAt },
});

const storeView = (call: Call): Answer => {
  const { storeId: id, name, status, ai } = shopOf(call);
  const about = { currency: 'IDR', timezone: 'Asia/Jakarta', description: '', phone: '6281234567890', ai };
  const address = { line: 'Jl. Merdeka 1', city: 'Bandung', postcode: '40111' };
  return ok({ id, name, status, ...about, address, hours: [{ day: 1, open: '08:00', close: '17:00' }] });
};

const products = ({ url, shop }: Call): Answer => {
  const given = (name: string) => url.searchParams.get(name) ?? undefined;
  const skus = given('skus')?.split(',');
  const [page, perPage] = [Number(given('page') ?? 1), Number(given('per_page') ?? 15)];
  const rows = (shop?.products ?? []).filter(({ sku }) => skus?.includes(sku) ?? true);
  const sorted = rows.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  const last_page = Math.max(1, Math.ceil(rows.length / perPage));
  return ok(sorted.slice((page - 1) * perPage, page * perPage).map(rowOf), { current_page: page, last_page });
};

const checkStock = ({ shop, body }: Call): Answer => {
  const items = body.items as { sku: string; qty: number }[];
  const data = items.map(({ sku, qty }) => {
    const wanted = items.filter((each) => each.sku === sku).reduce((sum, each) => sum + each.qty, 0);
    const { stock = 0 } = shop?.products.find((each) => each.sku === sku) ?? {};
    const available = stock === null || wanted <= stock;
    return { product_id: null, variant_id: null, sku, qty, stock: stock ?? 0, available };
  });
  return ok(data);
};

const rates = (call: Call, areas: readonly FakeArea[] | undefined): Answer => {
  const { destination, area_id } = call.body as { destination?: string; area_id?: string };
  const [shop, to] = [shopOf(call), destination ?? area_id ?? ''];
  const own = shop.methods.map(({ name, cost, areas: served }) => {
    const flat = { kind: 'flat', courier: null, service: null, name, cost, etd_days: null, cod: false };
    return goesTo(areas?.find(({ id }) => id === area_id)?.label ?? to, served) ? [flat] : [];
  });
  const brought = broughtBy(shop, areasFor(areas, to)).map(({ etd, ...by }) => {
    return { kind: 'courier', ...by, etd_days: etd, cod: false };
  });
  return ok([...own.flat(), ...brought].toSorted((one, other) => one.cost - other.cost));
};

/** commerce-api over HTTP, with shops and orders in memory. */
class FakeCommerce {
  readonly shops: Map<string, FakeShop>;
  readonly orders: FakeOrders;
  readonly seen: SeenByCommerce[] = [];
  readonly moods: Mood[] = [];
  /** Areas that its search knows; undefined: it has no such route. */
  areas: FakeArea[] | undefined;
  /** Parcels by waybill; undefined: it has no such route. */
  parcels: Record<string, object> | undefined;
  private readonly signatures = new Set<string>();
  private readonly verify;

  constructor(shops: readonly FakeShop[], clock: Clock) {
    this.shops = new Map(shops.map((shop) => [shop.storeId, shop]));
    this.orders = new FakeOrders(this.shops, () => this.areas);
    const firstUse = (key: string) => Promise.resolve(!this.signatures.has(key) && !!this.signatures.add(key));
    this.verify = internalVerifier({ secrets: { 'bot-engine': FAKE_SECRET }, firstUse, clock });
  }

  async answer(seen: SeenByCommerce): Promise<Answer> {
    const url = new URL(seen.url, 'http://commerce');
    const body = (seen.body === '' ? {} : JSON.parse(seen.body)) as Json;
    const signed = url.pathname.startsWith('/api/payment/engine-bot/');
    const refusal = signed ? await this.forged(seen) : this.unknownCaller(seen);
    if (refusal) return refusal;
    const shop = this.shops.get(seen.store ?? '');
    if (!signed && shop?.status === 'suspended') throw new Refusal(403, 'store_suspended');
    return this.route(`${seen.method} ${url.pathname}`, { url, shop, body });
  }

  private route(named: string, call: Call): Answer {
    const status = /^GET \/api\/payment\/engine-bot\/check-status\/([^/]+)$/.exec(named)?.[1];
    if (status !== undefined) return ok(this.orders.state(decodeURIComponent(status)));
    switch (named) {
      case 'POST /api/payment/engine-bot/create-checkout': {
        const [code, data] = this.orders.checkout(call.body as never);
        return [code, { status: 'success', message: 'Order created', data }];
      }
      case 'GET /api/store':
        return storeView(call);
      case 'GET /api/products':
        return products(call);
      case 'POST /api/products/check-stock':
        return checkStock(call);
      case 'POST /api/shipping/rates':
        return rates(call, this.areas);
      case 'GET /api/ship_a/search':
        return this.search(call);
      case 'POST /api/ship_a/waybill':
        return this.track(call);
      default:
        return NO_ROUTE;
    }
  }

  private search({ url }: Call): Answer {
    const asked = url.searchParams.get('q') ?? '';
    return this.areas ? ok(areasFor(this.areas, asked)) : NO_ROUTE;
  }

  private track({ body }: Call): Answer {
    if (!this.parcels) return NO_ROUTE;
    const parcel = this.parcels[String(body.waybill)];
    if (parcel) return ok(parcel);
    if (body.courier !== undefined) throw new Refusal(404, 'not_found', { message: 'Waybill not found' });
    throw invalid('courier', 'is needed for a waybill that is none of the store');
  }

  private unknownCaller({ headers }: SeenByCommerce): Answer | undefined {
    if (headers.authorization?.startsWith('Bearer ')) return undefined;
    return [401, { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' }];
  }

  private async forged({ method, url: path, headers, body }: SeenByCommerce): Promise<Answer | undefined> {
    const request = { method, headers, target: path, address: '' };
    const isTrue = await this.verify(request as never, { method, path, body }).then(
      () => true,
      () => false,
    );
    if (isTrue) return undefined;
    return [401, { status: 'error', message: 'The signature is not valid', code: 'invalid_signature' }];
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const fits = ({ url, store, body }: SeenByCommerce, { path = '', store: only, body: has = /^/ }: Mood): boolean =>
  url.startsWith(path) && (only === undefined || only === store) && has.test(body);

const serve = async (fake: FakeCommerce, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '', headers } = request;
  const body = await textOf(request);
  const named = (body === '' ? {} : JSON.parse(body)) as { readonly idStore?: string };
  const header = headers['x-store-id'];
  const store = typeof header === 'string' ? header : named.idStore;
  const seen: SeenByCommerce = { method, url, headers, body, store };
  fake.seen.push(seen);
  const does = fake.moods.find((mood) => fits(seen, mood))?.does;
  if (does === 'hang') return;
  if (typeof does === 'number') return void response.writeHead(does).end();
  const [status, answer] = await fake.answer(seen).catch((thrown: unknown): Answer => {
    if (!(thrown instanceof Refusal)) throw thrown;
    return [thrown.status, { status: 'error', message: thrown.code, code: thrown.code, ...thrown.more }];
  });
  if (does === 'late') return;
  if (does === 'cut') return void request.socket.destroy();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

/** commerce-api as this service sees it, for tests. */
export const startFakeCommerce = async (
  shops: readonly FakeShop[] = [fakeShop('S1')],
  { clock = systemClock }: { readonly clock?: Clock } = {},
) => {
  const fake = new FakeCommerce(shops, clock);
  const server = createServer((request, response) => void serve(fake, request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};

export type RunningFakeCommerce = Awaited<ReturnType<typeof startFakeCommerce>>;
