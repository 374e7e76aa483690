import { startJsonServer, type FakeAnswer } from './server.fake';

const MISSING: FakeAnswer = [404, { status: 'error', message: 'Agent not found', code: 'agent_not_found' }];
const WELCOME = { welcome_message: 'Halo Kak, ada yang bisa dibantu?', cost_request: '$0.000120' };

/** bot-engine over HTTP as far as devices and welcome texts ask it: which agents there are, and what one would say. */
export const startFakeAgents = async () => {
  const agents = new Set<string>();
  const state: { mood: 'answer' | 'down'; wishes: unknown[]; leaving: Set<string> } = {
    ...{ mood: 'answer', wishes: [], leaving: new Set() },
  };
  const server = await startJsonServer(({ pathname, body }) => {
    if (state.mood === 'down') return [503, {}];
    if (pathname === '/api/generate_welcome') {
      state.wishes.push(body);
      const { agent_id } = body as { agent_id: string };
      return agents.has(agent_id) ? [201, { status: 201, message: 'success', data: WELCOME }] : MISSING;
    }
    if (pathname === '/internal/agents') {
      const data = [...agents].map((each) => ({ id: each, name: `Agen ${each}` }));
      return [200, { data, meta: { total: data.length, current_page: 1, per_page: 100 } }];
    }
    const id = pathname.replace('/internal/agents/', '');
    const isHere = agents.has(id);
    // Deleted as soon as it was found
    if (state.leaving.has(id)) agents.delete(id);
    return isHere ? [200, { status: 'success', message: 'OK', data: { id } }] : MISSING;
  });
  return { ...server, agents, state };
};
