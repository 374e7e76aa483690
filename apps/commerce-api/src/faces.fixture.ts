import { createServer, request as forward } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { registrationsOf } from '@platform/http';
import type { Answered } from './asked.fixture';
import type { Commerce } from './commerce.fixture';

export type FaceAsk = (method: string, path: string, body?: unknown, key?: string) => Promise<Answered<never>>;

/** A route over an owner: what it answers when all is well, and what it answers to what the owner or we do not take. */
export interface FaceRow<Shop> {
  /** `POST /ticketing-feedback/{id}/reply`, as it is mounted below `/api`; behind two spaces which of its calls. */
  readonly row: string;
  /** What there must be; resolves to the path, and what is sent. */
  readonly ready: (
    shop: Shop,
  ) => Promise<readonly [path: string, body?: unknown]> | readonly [path: string, body?: unknown];
  /** Status of a success. */
  readonly good: number;
  readonly refused: (shop: Shop) => Promise<Answered<never>>;
  readonly because: readonly [status: number, code: string];
  /** What it answers without its owner, where that is no failure. */
  readonly away?: readonly [status: number, code: undefined];
}

export const routeOf = ({ row }: { readonly row: string }): string => row.split('  ')[0] ?? row;
const methodOf = ({ row }: { readonly row: string }): string => row.split(' ')[0] ?? '';

/** The mounted routes below these prefixes, as rows name them. */
export const mountedBelow = ({ app }: Commerce, prefixes: readonly string[]): string[] =>
  registrationsOf(app)
    .map(({ endpoint, path }) => `${endpoint.method.toUpperCase()} ${path.replace(/^\/api/, '')}`)
    .filter((route) => prefixes.some((prefix) => `${route.split(' ')[1]}/`.startsWith(`${prefix}/`)))
    .sort();

/** Asks each row of a shop of its own, all at once, so that none finds the line closed by those before it. */
export const askAll = async <Shop extends { readonly ask: FaceAsk }>(
  asked: ReadonlyMap<FaceRow<Shop>, readonly [Shop, readonly [string, unknown?]]>,
): Promise<ReadonlyMap<string, readonly [number, string | undefined]>> => {
  const answers = [...asked].map(async ([row, [{ ask }, [path, body]]]) => {
    const { status, body: answer } = await ask(methodOf(row), path, body);
    return [row.row, [status, answer.code] as const] as const;
  });
  return new Map(await Promise.all(answers));
};

/** What rows need, in shops of their own. */
export const prepared = async <Shop>(
  rows: readonly FaceRow<Shop>[],
  newShop: () => Promise<Shop>,
): Promise<ReadonlyMap<FaceRow<Shop>, readonly [Shop, readonly [string, unknown?]]>> => {
  const made = new Map<FaceRow<Shop>, readonly [Shop, readonly [string, unknown?]]>();
  for (const row of rows) {
    const shop = await newShop();
    made.set(row, [shop, await row.ready(shop)]);
  }
  return made;
};

type Swallows = (method: string, url: string) => boolean;
const writing: Swallows = (method, url) => method !== 'GET' && !url.startsWith('/v1/chat_');

/** Passes every request on to an owner, and the answers to some of them to nobody: whoever asked is killed before they come. */
export const startSwallowing = async (target: string, swallows: Swallows = writing) => {
  const swallowed: string[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      if (!swallows(method, url)) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      answer.resume().on('end', () => swallowed.push(`${method} ${url} ${answer.statusCode}`));
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowed,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
