import { until } from '@platform/testing';
import type { Line } from './walk.inbox.fixture';
import type { Made, Story } from './walk.fixture';

const TEXT = 'Halo {{name}}, diskon Lebaran 10% sampai Minggu. Balas STOP bila tidak ingin info lagi.';

interface Broadcast extends Made {
  readonly status: string;
  readonly starting: boolean;
}

/** The shop writes to all of its customers, and thinks better of it. */
export const announce = async ({ tell, ask, refuse }: Story, { device_id }: Line): Promise<void> => {
  const audience = { all: true };
  await tell('POST /api/broadcast/preview-audience', { audience });
  const draft = { name: 'Promo Lebaran', device_id, audience, message: { text: TEXT } };
  const { id } = await tell('POST /api/broadcast', draft);
  await tell('PUT /api/broadcast/{id}', { rate_per_minute: 10 }, id);
  const now = () => ask<Broadcast>('GET /api/broadcast/{id}', undefined, id);
  await tell('POST /api/broadcast/{id}/send', {}, id);
  await until(now, ({ status, starting }) => status === 'sending' && !starting);
  await tell('POST /api/broadcast/{id}/pause', undefined, id);
  await tell('GET /api/broadcast/{id}/recipients', { limit: 2 }, id);
  await tell('POST /api/broadcast/{id}/resume', undefined, id);
  await tell('GET /api/broadcast/{id}', undefined, id);
  await tell('GET /api/broadcast', { status: 'sending' });
  await tell('POST /api/broadcast/{id}/cancel', undefined, id);
  for (const step of ['pause', 'resume', 'send'])
    await refuse(409, `POST /api/broadcast/{id}/${step}`, step === 'send' ? {} : undefined, id);
  await refuse(409, 'PUT /api/broadcast/{id}', { name: 'Promo Syawal' }, id);
  await refuse(409, 'DELETE /api/broadcast/{id}', undefined, id);
  await refuse(422, 'POST /api/broadcast', { ...draft, audience: {} });
  await refuse(422, 'POST /api/broadcast/preview-audience', { audience: {} });
  const old = await ask('POST /api/broadcast', { ...draft, name: 'Promo lama' });
  await tell('DELETE /api/broadcast/{id}', undefined, old.id);
};
