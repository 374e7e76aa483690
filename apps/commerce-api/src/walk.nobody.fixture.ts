import { conversationIdOf } from './features/inbox/conversations/public';
import type { Owners } from './walk.owners.fixture';
import type { Line } from './walk.inbox.fixture';
import { NOBODY, type Story } from './walk.fixture';

const TICKET = `S1.${NOBODY}`;
const TEXT = { text: 'Halo Kak' };
const FAQ = { kind: 'faq', title: 'Jam buka', text: '08-17' };
const TRIAL = { prompt: 'Kamu adalah Nusa.', question: 'Jam buka?' };

type Call = readonly [route: string, request?: object, ...places: string[]];

const OF_AGENTS: readonly Call[] = [
  ['GET /api/agent/{id}', undefined, NOBODY],
  ['GET /api/agent/{id}/usage', undefined, NOBODY],
  ['GET /api/testing/sessions/{id}', undefined, NOBODY],
  ['PUT /api/agent/{id}', { name: 'Nusa' }, NOBODY],
  ['PUT /api/agent/{id}/status', { enabled: true }, NOBODY],
  ['DELETE /api/agent/{id}', undefined, NOBODY],
  ['POST /api/agent/{id}/knowledge', FAQ, NOBODY],
  ['DELETE /api/agent/{id}/knowledge/{knowledgeId}', undefined, NOBODY, NOBODY],
  ['POST /api/testing/ai-agent', { agent_id: NOBODY, ...TRIAL }],
];
const OF_BROADCASTS: readonly Call[] = [
  ['GET /api/broadcast/{id}', undefined, NOBODY],
  ['GET /api/broadcast/{id}/recipients', undefined, NOBODY],
  ['PUT /api/broadcast/{id}', { rate_per_minute: 10 }, NOBODY],
  ['DELETE /api/broadcast/{id}', undefined, NOBODY],
  ['POST /api/broadcast/{id}/send', {}, NOBODY],
  ['POST /api/broadcast/{id}/pause', undefined, NOBODY],
  ['POST /api/broadcast/{id}/resume', undefined, NOBODY],
  ['POST /api/broadcast/{id}/cancel', undefined, NOBODY],
];
const OF_TICKETS: readonly Call[] = [
  ['GET /api/ticketing-feedback/{id}', undefined, TICKET],
  ['POST /api/ticketing-feedback/{id}/reply', TEXT, TICKET],
  ['PUT /api/ticketing-feedback/{id}/status', { status: 'pending' }, TICKET],
  ['POST /api/ticketing-feedback/{id}/assign', { user_id: NOBODY }, TICKET],
];
const ofChats = ({ instance, team_id: team }: Line): readonly Call[] => {
  const id = conversationIdOf({ instance, nohp: '6281299887700', team, chatId: `S1.${NOBODY}` });
  return [
    ['GET /api/livechat/conversations/{id}/messages', undefined, id],
    ['POST /api/livechat/conversations/{id}/messages', { type: 'text', ...TEXT }, id],
    ['POST /api/livechat/conversations/{id}/assign', { team_id: team }, id],
    ['POST /api/livechat/conversations/{id}/close', {}, id],
  ];
};

const ofDevice = (device_id: string): readonly Call[] => {
  const to = { device_id, to: '6281299887766' };
  return [
    ['GET /api/wa/groups', { device_id }],
    ['POST /api/wa/send-message', { ...to, ...TEXT }],
    ['POST /api/wa/send-location', { ...to, latitude: -6.8915, longitude: 107.6107 }],
  ];
};

/** Things of somebody else, or of nobody. */
export const findNothing = async ({ refuse }: Story, line: Line): Promise<void> => {
  const owned = [...OF_AGENTS, ...OF_BROADCASTS, ...OF_TICKETS, ...ofChats(line)];
  const own: readonly Call[] = [
    ['PUT /api/livechat/widget', { device_id: NOBODY }],
    ['POST /api/wa/link', { phone: '6281100000001', tracker_id: NOBODY }],
  ];
  for (const call of [...owned, ...ofDevice(NOBODY), ...own]) await refuse(404, ...call);
};

const LISTS: readonly Call[] = [
  ['GET /api/agent'],
  ['GET /api/testing/sessions'],
  ['GET /api/broadcast'],
  ['GET /api/ticketing-feedback'],
  ['GET /api/livechat/conversations'],
  ['POST /api/wa/check-number', { phone: '6281234567890' }],
];

/** Those who own all of this are slow, and then away. */
export const standAlone = async ({ refuse }: Story, line: Line, owners: Owners): Promise<void> => {
  owners.freeze();
  await Promise.all(LISTS.map((call) => refuse(504, ...call)));
  owners.awaken();
  await owners.kill();
  const owned = [...LISTS, ...OF_AGENTS, ...OF_BROADCASTS, ...OF_TICKETS, ...ofChats(line)];
  const nusa: Call = ['POST /api/agent', { name: 'Nusa', prompt: 'Kamu adalah Nusa.' }];
  const wrong: Call = ['POST /api/ticketing-feedback', { phone: '6281234567890', subject: 'Retur', body: 'Sol lepas' }];
  for (const call of [...owned, ...ofDevice(line.device_id), nusa, wrong]) await refuse(502, ...call);
};
