import { OWNER_ID } from './clients/store-auth.fake';
import { feedbackToken } from './features/tickets/feedback.token';
import { BUDI } from './walk.inbox.fixture';
import type { Story } from './walk.fixture';

/** Something was wrong, and is put right. */
export const putRight = async ({ commerce, tell, ask, refuse }: Story, contact_id: string): Promise<void> => {
  const wrong = { subject: 'Sol sepatu lepas', body: 'Baru dipakai dua kali, minta diganti.', priority: 'high' };
  const { id } = await tell('POST /api/ticketing-feedback', { contact_id, ...wrong });
  await tell('POST /api/ticketing-feedback/{id}/assign', { user_id: OWNER_ID }, id);
  const reply = { text: 'Kami kirim penggantinya hari ini, Kak.', notify: false };
  await tell('POST /api/ticketing-feedback/{id}/reply', reply, id);
  await tell('PUT /api/ticketing-feedback/{id}/status', { status: 'resolved' }, id);
  const token = feedbackToken(commerce.config.PAY_LINK_SECRET, id, commerce.clock.now());
  await tell('POST /api/ticketing-feedback/rating/{token}', { rating: 5, text: 'Cepat ditanggapi' }, token);
  const rating = 'POST /api/ticketing-feedback/rating/{token}';
  await refuse(409, rating, { rating: 1 }, token);
  await refuse(401, rating, { rating: 5 }, feedbackToken('of somebody else', id, commerce.clock.now()));
  await refuse(410, rating, { rating: 5 }, feedbackToken(commerce.config.PAY_LINK_SECRET, id, new Date('2025-01-01')));
  await refuse(422, rating, { rating: 6 }, token);
  await tell('GET /api/ticketing-feedback/{id}', undefined, id);
  await tell('GET /api/ticketing-feedback', { status: 'resolved' });
  await refuse(422, 'POST /api/ticketing-feedback', wrong);
  await ask('PUT /api/ticketing-feedback/{id}/status', { status: 'closed' }, id);
  await refuse(409, 'POST /api/ticketing-feedback/{id}/reply', reply, id);
  await refuse(409, 'PUT /api/ticketing-feedback/{id}/status', { status: 'pending' }, id);
  await refuse(403, 'POST /internal/chat-events', { store_id: 'S2', events: [] });
  const opened = { id: 'link:WA7', kind: 'link_opened', nohp: BUDI, code: 'lebaran26', chatId: `S1.${OWNER_ID}` };
  await tell('POST /internal/chat-events', { store_id: 'S1', events: [opened] });
};
