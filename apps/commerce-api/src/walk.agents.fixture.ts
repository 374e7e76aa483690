import { until } from '@platform/testing';
import type { Owners } from './walk.owners.fixture';
import type { Made, Story } from './walk.fixture';

const PROMPT = 'Kamu adalah Nusa, pelayan Toko Nusa yang ramah. Toko buka 09.00-21.00.';
const RETURNS = 'Barang dapat ditukar dalam 7 hari selama belum dipakai dan label masih terpasang.';

interface Agent extends Made {
  readonly version: number;
  readonly knowledge: readonly { readonly status: string }[];
}

const knowledge = async ({ tell, ask }: Story, id: string): Promise<void> => {
  await tell('POST /api/agent/{id}/knowledge', { kind: 'policy', title: 'Penukaran barang', text: RETURNS }, id);
  const docs = async () => (await ask<Agent>('GET /api/agent/{id}', undefined, id)).knowledge;
  const isRead = () => until(async () => (await docs()).every(({ status }) => status === 'ready'));
  await isRead();
  await tell('GET /api/agent/{id}', undefined, id);
  const old = await ask('POST /api/agent/{id}/knowledge', { kind: 'faq', title: 'Jam buka', text: '08-17' }, id);
  await isRead();
  await tell('DELETE /api/agent/{id}/knowledge/{knowledgeId}', undefined, id, old.id);
};

const trials = async ({ tell }: Story, agent_id: string): Promise<void> => {
  const trial = { agent_id, prompt: PROMPT, question: 'Jam buka?' };
  const { session_id } = await tell<{ session_id: string }>('POST /api/testing/ai-agent', trial);
  await tell('GET /api/testing/sessions', { agent_id });
  await tell('GET /api/testing/sessions/{id}', undefined, session_id);
};

/** The shop has somebody who answers at night. */
export const hireAgent = async (story: Story, { answered }: Owners): Promise<void> => {
  const { tell, refuse } = story;
  const nusa = { name: 'Nusa', prompt: PROMPT, tools: ['check_stock'], temperature: 0.2 };
  const { id, version } = await tell<Agent>('POST /api/agent', nusa);
  await tell('PUT /api/agent/{id}', { welcome_text: 'Halo Kak, ada yang bisa Nusa bantu?', version }, id);
  await refuse(409, 'PUT /api/agent/{id}', { name: 'Nusa Dua', version }, id);
  await refuse(422, 'POST /api/agent', { ...nusa, tools: ['send_money'] });
  await refuse(422, 'POST /api/agent/{id}/knowledge', { kind: 'faq', title: 'Kosong' }, id);
  await refuse(422, 'GET /api/agent/{id}/usage', { from: '2026-03-01', to: '2026-02-01' }, id);
  await knowledge(story, id);
  await trials(story, id);
  await tell('PUT /api/agent/{id}/status', { enabled: false }, id);
  await tell('GET /api/agent', { enabled: 'false' });
  for (const hour of ['03:00', '14:00']) await answered(id, `2026-03-01T${hour}:00Z`);
  await tell('GET /api/agent/{id}/usage', { from: '2026-02-28', to: '2026-03-01' }, id);
  await tell('DELETE /api/agent/{id}', undefined, id);
};
