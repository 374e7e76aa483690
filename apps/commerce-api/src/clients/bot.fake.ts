import { startJsonServer, type FakeAnswer } from './server.fake';

const AT = '2026-03-01T08:00:00.000Z';
const HOSTILE = `<script>alert(1)</script>-"Sepatu"-\u202eEdisi-Ulang-Tahun-Kesepuluh-Warna-Hitam-Ukuran-Empat-Puluh-Dua`;
const MISSING: FakeAnswer = [404, { status: 'error', message: 'Agent not found', code: 'agent_not_found' }];
const TEXTS = { fallback_text: HOSTILE, handover_text: HOSTILE, welcome_text: HOSTILE };
const USUAL = {
  provider: 'openai',
  temperature: 0.2,
  tools: ['check_stock'],
  resume_after_min: 60,
  failure_resume_min: 5,
};
const DOC = { id: 'd1', kind: 'faq', title: HOSTILE, source: 'text', status: 'failed', error: HOSTILE, updated_at: AT };
const USED = { replies: 9, tokens_in: 1, tokens_out: 1, cost_micros: 120_000, unpriced: 0, days: [] };
const TRIAL = { id: '0199f7a0-0000-7000-8000-0000000000d1', title: HOSTILE, lines: 2, updated_at: AT };

/** bot-engine over HTTP as far as pages ask it: agents of stores, each with a document and a trial. */
export const startFakeBot = () => {
  /** By store and id. */
  const agents = new Map<string, object>();
  return startJsonServer(({ method, pathname, headers, body }) => {
    const store = String(headers['x-store-id']);
    const [, , what, id] = pathname.split('/');
    const ofStore = [...agents].filter(([key]) => key.startsWith(`${store} `)).map(([, agent]) => agent);
    if (what === 'usage') return [200, { data: USED }];
    if (what === 'test-sessions') return [200, { data: [TRIAL], meta: { next_cursor: null } }];
    if (method === 'POST' && what === 'agents') {
      const made = body as { readonly id: string };
      agents.set(`${store} ${made.id}`, { ...USUAL, ...TEXTS, enabled: true, version: 1, knowledge: [DOC], ...made });
      return [201, { data: agents.get(`${store} ${made.id}`) ?? {} }];
    }
    if (id === undefined)
      return [200, { data: ofStore, meta: { total: ofStore.length, current_page: 1, per_page: 15 } }];
    const agent = agents.get(`${store} ${id}`);
    return agent ? [200, { data: agent }] : MISSING;
  });
};
