import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdsArea } from './ads/ads.area';
import { AdsNetwork, type AdsOptions } from './ads/ads.network';
import { failureAnswer, writeAnswer } from './answer.writer';
import type { GraphAnswer, GraphArea, GraphCall } from './graph.area';
import { unsupportedCall } from './graph.error';
import { parseJson } from './json.reader';
import { PixelsArea } from './pixels/pixels.area';
import { PixelsNetwork, type PixelOptions } from './pixels/pixels.store';
import { readCall } from './request.reader';
import { WhatsAppArea } from './wa/whatsapp.area';
import { WhatsAppNetwork, type WhatsAppOptions } from './wa/whatsapp.network';

export interface GraphSandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  /** Listens on every address of a container, whose published ports say who reaches it. */
  readonly inContainer?: boolean;
  readonly appEnv?: string;
  readonly wa?: WhatsAppOptions;
  readonly ads?: AdsOptions;
  readonly pixels?: PixelOptions;
}

export interface GraphSandbox {
  /** Without the API version. */
  readonly url: string;
  readonly wa: WhatsAppNetwork;
  readonly ads: AdsNetwork;
  readonly pixels: PixelsNetwork;
  /** Also ends answers that are still delayed. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts the local stand-in for Meta's Graph API. It is for this machine only: rejects a host that is not loopback outside of a
 * container, and `appEnv` production.
 */
export const startGraphSandbox = async (options: GraphSandboxOptions): Promise<GraphSandbox> => {
  const { port, inContainer = false, host = '127.0.0.1', appEnv } = options;
  if (appEnv === 'production')
    throw new Error('The Graph sandbox does not start with APP_ENV=production: it sends nothing to anybody.');
  if (!LOOPBACK.has(host)) throw new Error(`The Graph sandbox listens on loopback only, not on ${host}.`);
  const wa = new WhatsAppNetwork(options.wa);
  const ads = new AdsNetwork(options.ads);
  const pixels = new PixelsNetwork(options.pixels);
  const areas: readonly GraphArea[] = [new WhatsAppArea(wa), new PixelsArea(pixels), new AdsArea(ads)];
  const server = createServer((request, response) => {
    response.setHeader('X-Graph-Sandbox', '1');
    const origin = `http://${request.headers.host ?? `${host}:${(server.address() as AddressInfo).port}`}`;
    answerOf(areas, request, origin)
      .catch(failureAnswer)
      .then((answer) => writeAnswer(response, answer))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, inContainer ? '0.0.0.0' : host, resolve),
  );
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, ...areas.map((area) => area.close())]);
  };
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, wa, ads, pixels, close };
};

const answerOf = async (
  areas: readonly GraphArea[],
  request: IncomingMessage,
  origin: string,
): Promise<GraphAnswer> => {
  const call = await readCall(request, origin);
  if (call.path[0] === '__sandbox') return controlled(areas, call);
  for (const area of areas) {
    const answer = await area.serve(call);
    if (answer !== undefined) return answer;
  }
  return { status: 400, json: unsupportedCall(call.method, new URL(request.url ?? '/', origin).pathname) };
};

const controlled = async (areas: readonly GraphArea[], { method, path, body }: GraphCall): Promise<GraphAnswer> => {
  const [, name, verb = ''] = path;
  const area = areas.find((each) => each.name === name);
  const result = await area?.control(method, verb, body.length > 0 ? parseJson(body.toString('utf8')) : {});
  if (result === undefined) return { status: 404, json: { error: `no control route ${method} ${name}/${verb}` } };
  return { json: result };
};
