import { Binary, Reply } from '@platform/http';
import type { DtoClass } from '@platform/validation';
import { buyerFailure } from './buyer.failure';
import { pageEndpoint } from './form.state';
import type { Pages, WebKit } from './kit';

interface Asking<Q> {
  readonly query: Q;
  /** The host that was asked. */
  readonly host: string | undefined;
  /** A file of the pages, by its name. */
  readonly asset: WebKit['assets']['served']['content'];
}

interface BuyerFile<Q> {
  readonly get: string;
  readonly query: DtoClass & (new () => Q);
  readonly type: 'text/javascript' | 'application/xml';
  /** For how long caches keep it. */
  readonly seconds: number;
  readonly load: (asking: Asking<Q>) => Promise<string>;
}

interface Incoming<Q> {
  readonly query: Q;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A file for everybody, also for pages of others: the same for all, so that caches may keep it. */
export const buyerFile =
  <Q>({ get, query, type, seconds, load }: BuyerFile<Q>): Pages =>
  (kit) => [
    pageEndpoint({
      ...{ get, query, guard: 'visitor', reply: 'bytes', unknownKeys: 'ignore', summary: `The file ${get}` },
      rate: { requests: 300, perSeconds: 60, by: 'address' },
      refused: buyerFailure(kit),
      handle: async ({ query: asked, headers }: Incoming<Q>) => {
        const asset = (name: Parameters<Asking<Q>['asset']>[0]) => kit.assets.served.content(name);
        const text = await load({ query: asked, host: headers.host, asset });
        return new Reply(new Binary(Buffer.from(text), `${type}; charset=utf-8`), {
          headers: {
            'Cache-Control': `public, max-age=${seconds}`,
            'Cross-Origin-Resource-Policy': 'cross-origin',
          },
        });
      },
    }),
  ];
