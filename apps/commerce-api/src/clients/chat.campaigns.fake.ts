import type { IncomingMessage, ServerResponse } from 'node:http';

const NUMBERS = {
  duplikat: 1,
  tidak_valid: 2,
  opt_out: 3,
  terkirim: 90_000,
  delivered: 80_000,
  viewed: 70_000,
  gagal: 5,
};
const RECIPIENT = { nohp: '6281234567890', nama: '<b>Budi</b>', status: 'failed', error: 'not_on_whatsapp' };

const jsonOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
};

/** Campaigns of chat-backend over HTTP as far as pages show them: what was saved is there, and nobody gets it. */
export const fakeCampaigns = () => {
  const kept = new Map<string, object>();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://chat');
    const body = await jsonOf(request);
    const store = String(searchParams.get('store_id') ?? body.store_id);
    const [, , , id, more] = pathname.split('/');
    const key = `${store} ${id}`;
    const answer = (status: number, data: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
    if (request.method === 'PUT')
      kept.set(key, {
        broadcastId: `${store}.${id}`,
        status: 'draft',
        total: 100_000,
        valid: 99_994,
        ...NUMBERS,
        ...body,
      });
    const ofStore = [...kept].filter(([name]) => name.startsWith(`${store} `)).map(([, campaign]) => campaign);
    if (id === undefined) return answer(200, { result: true, data: ofStore, next_cursor: null });
    const campaign = kept.get(key);
    if (!campaign) return answer(404, { result: false, code: 'broadcast_not_found', message: 'none' });
    if (more === 'recipients') return answer(200, { result: true, data: [RECIPIENT], next_cursor: 'more' });
    return answer(200, { result: true, data: campaign });
  };
};
