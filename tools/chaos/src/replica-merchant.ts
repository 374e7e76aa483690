import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Counter } from './money/stack';

const EVENTS = ['order.created', 'order.paid'] as const;

interface News {
  readonly eventId: string;
  readonly event: string;
  readonly number: string;
}

/** The program of the shop's owner, which hears of every order by an outgoing webhook. */
export interface Merchant {
  readonly url: string;
  /** What it has taken, in order; what is sent again is there again. */
  readonly news: readonly News[];
  stop(): Promise<unknown>;
}

const newsIn = async (request: IncomingMessage): Promise<News> => {
  const { event, data } = JSON.parse(await text(request)) as { event: string; data: { number?: string } };
  return { eventId: String(request.headers['x-event-id']), event, number: data.number ?? '' };
};

export const startMerchant = async (): Promise<Merchant> => {
  const news: News[] = [];
  const server = createServer((request, response) => {
    void newsIn(request).then((told) => {
      news.push(told);
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`;
  const stop = (): Promise<unknown> => (server.closeAllConnections(), once(server.close(), 'close'));
  return { url, news, stop };
};

/** Has the shop tell this program of its orders. */
export const subscribe = async ({ url }: Merchant, { commerce, token }: Counter): Promise<void> => {
  const answer = await fetch(`${commerce.url}/api/settings/webhooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ url, events: EVENTS }),
  });
  if (!answer.ok) throw new Error(`The webhook cannot be made: ${answer.status} ${await answer.text()}`);
};

/** What the program should have heard of an order: each event, once by its id, and first that it was placed. */
export const heardFindings = (
  news: readonly News[],
  { number, paid }: { readonly number: string; readonly paid: boolean },
): string[] => {
  const own = news.filter((each) => each.number === number);
  const heard = [...new Map(own.map((each) => [each.eventId, each.event])).values()];
  const expected = EVENTS.slice(0, paid ? 2 : 1);
  return heard.join() === expected.join()
    ? []
    : [`${number}: its shop's program was told ${heard.join(', ') || 'nothing'} instead of ${expected.join(', ')}`];
};
