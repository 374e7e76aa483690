import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ControlError, type GraphAnswer, type GraphArea, type GraphCall } from './graph.area';
import { GraphError, unsupportedCall } from './graph.error';
import { parseJson } from './json.reader';
import { WhatsAppArea } from './wa/whatsapp.area';
import { WhatsAppNetwork, type WhatsAppOptions } from './wa/whatsapp.network';

export interface GraphSandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  readonly appEnv?: string;
  readonly wa?: WhatsAppOptions;
}

export interface GraphSandbox {
  /** Without the API version. */
  readonly url: string;
  readonly wa: WhatsAppNetwork;
  /** Also ends answers that are still delayed. */
  close(): Promise<void>;
}

const BODY_LIMIT = 110 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const readBody = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new GraphError(100, 'The request body is above 110 MB', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const bearerOf = ({ headers, url = '/' }: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ??
  new URL(url, 'http://sandbox').searchParams.get('access_token') ??
  undefined;

const reply = (response: ServerResponse, answer: GraphAnswer): void => {
  if (answer === 'drop') return void response.destroy();
  if ('bytes' in answer) {
    response.writeHead(200, { 'content-type': answer.mimetype, 'content-length': answer.bytes.length });
    return void response.end(answer.bytes);
  }
  response
    .writeHead(answer.status ?? 200, { 'content-type': 'application/json; charset=UTF-8' })
    .end(JSON.stringify(answer.json));
};

const failed = (error: unknown): GraphAnswer => {
  if (error instanceof GraphError) return { status: error.status, json: error.body() };
  if (error instanceof ControlError) return { status: 400, json: { error: error.message } };
  return { status: 500, json: new GraphError(1, `The sandbox failed: ${String(error)}`).body() };
};

/**
 * Starts the local stand-in for Meta's Graph API. It is for this machine only: rejects a host that is not loopback, and `appEnv`
 * production.
 */
export const startGraphSandbox = async (options: GraphSandboxOptions): Promise<GraphSandbox> => {
  const { port, host = '127.0.0.1', appEnv, wa: waOptions } = options;
  if (appEnv === 'production')
    throw new Error('The Graph sandbox does not start with APP_ENV=production: it sends nothing to anybody.');
  if (!LOOPBACK.has(host)) throw new Error(`The Graph sandbox listens on loopback only, not on ${host}.`);
  const wa = new WhatsAppNetwork(waOptions);
  const areas: readonly GraphArea[] = [new WhatsAppArea(wa)];
  const server = createServer((request, response) => {
    response.setHeader('X-Graph-Sandbox', '1');
    const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
    answerOf(areas, request, origin)
      .catch(failed)
      .then((answer) => reply(response, answer))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, ...areas.map((area) => area.close())]);
  };
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, wa, close };
};

const answerOf = async (
  areas: readonly GraphArea[],
  request: IncomingMessage,
  origin: string,
): Promise<GraphAnswer> => {
  const { method = 'GET', headers } = request;
  const { pathname, searchParams: query } = new URL(request.url ?? '/', origin);
  const body = await readBody(request);
  const path = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (path[0] === '__sandbox') return controlled(areas, method, path, body);
  if (/^v\d+\.\d+$/.test(path[0] ?? '')) path.shift();
  const call: GraphCall = { method, path, query, headers, body, token: bearerOf(request), origin };
  for (const area of areas) {
    const answer = await area.serve(call);
    if (answer !== undefined) return answer;
  }
  return { status: 400, json: unsupportedCall(method, pathname) };
};

const controlled = async (
  areas: readonly GraphArea[],
  method: string,
  [, name, verb = '']: readonly string[],
  body: Buffer,
): Promise<GraphAnswer> => {
  const area = areas.find((each) => each.name === name);
  const result = await area?.control(method, verb, body.length > 0 ? parseJson(body.toString('utf8')) : {});
  if (result === undefined) return { status: 404, json: { error: `no control route ${method} ${name}/${verb}` } };
  return { json: result };
};
