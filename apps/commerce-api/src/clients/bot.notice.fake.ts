import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentNotice } from './bot.notice';

type Told = Partial<PaymentNotice> & { readonly event?: string };

const JSON_TYPE = { 'content-type': 'application/json' };

type Answering = (request: IncomingMessage, response: ServerResponse, notice: Told) => void;

/** A server that reads JSON before it answers. */
const listening = (answer: Answering): Server =>
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => answer(request, response, JSON.parse(Buffer.concat(chunks).toString()) as Told));
  }).listen(0, '127.0.0.1');

/** bot-engine's route for payments over HTTP. `orders`: by number, whether it has taken them itself; others nobody knows. */
export const startFakeBot = async (orders: ReadonlyMap<string, boolean> | 'all' = 'all') => {
  const received: Told[] = [];
  const told = new Map<string, boolean>();
  const state: { mood: 'answer' | 'elsewhere' | 'busy' | 'unknown' | 'hang' | 'late' | 'cut' } = { mood: 'answer' };
  const answerTo = (notice: Told): [number, object] => {
    const { idEvent, orderNumber = '' } = notice;
    if (!idEvent || notice.event !== 'payment.paid') return [422, { status: 422, message: 'validation error' }];
    if (state.mood === 'busy') return [503, { status: 503, message: 'temporarily unavailable' }];
    const taken = orders === 'all' ? true : orders.get(orderNumber);
    if (taken === undefined || state.mood === 'unknown') return [404, { status: 404, message: 'order not found' }];
    const duplicate = told.has(idEvent);
    const notified = told.get(idEvent) ?? (taken && state.mood !== 'elsewhere');
    told.set(idEvent, notified);
    return [201, { status: 201, message: 'success', data: { orderNumber, orderStatus: 'paid', notified, duplicate } }];
  };
  const server = listening((request, response, notice) => {
    if (request.url !== '/api/webhook/payment-notification' || !request.headers.authorization?.startsWith('Bearer '))
      return void response.writeHead(401, JSON_TYPE).end('{"status":"error"}');
    received.push(notice);
    if (state.mood === 'hang') return;
    const [status, body] = answerTo(notice);
    // What it has done is done, whether or not anybody hears of it
    if (state.mood === 'late') return;
    if (state.mood === 'cut') return void request.socket.destroy();
    response
      .writeHead(status, { ...JSON_TYPE, ...(status === 503 && { 'retry-after': '5' }) })
      .end(JSON.stringify(body));
  });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    received,
    /** Orders whose buyer it has told, by event. */
    told,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
