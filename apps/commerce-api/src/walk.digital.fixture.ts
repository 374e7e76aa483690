import { until } from '@platform/testing';
import type { Made, Story } from './walk.fixture';

interface Book extends Made {
  readonly variants: readonly Made[];
}

const book = {
  ...{ name: 'Kelas Menjahit Topi', description: 'Dua belas pelajaran.', price: 150_000, status: 'active' },
  delivery: { max_downloads: 3, valid_days: 14, needs_key: true },
};

const paperForm = (name: string): FormData => {
  const form = new FormData();
  form.append('file', new Blob([`%PDF-1.7\n${'Pola topi. '.repeat(900)}`]), name);
  return form;
};

/** The shop sells a course with licence keys, and a buyer gets it. */
export const sellDownloads = async ({ tell, ask }: Story): Promise<void> => {
  const { id, variants } = await tell<Book>('POST /api/digital-store', book);
  await tell('PUT /api/digital-store/{id}', { delivery: { valid_days: 30 } }, id);
  await tell('POST /api/digital-store/{id}/files', paperForm('pola-topi.pdf'), id);
  const spare = await ask('POST /api/digital-store/{id}/files', paperForm('pola-lama.pdf'), id);
  await tell('DELETE /api/digital-store/{id}/files/{fileId}', undefined, id, spare.id);
  const keys = ['TOPI-7K3Q-9XPA-0001', 'TOPI-7K3Q-9XPA-0002', 'TOPI-7K3Q-9XPA-0002'];
  await tell('POST /api/digital-store/{id}/license-keys', { keys }, id);
  const contact = { name: 'Rina Marlina', phone: '6281299887744', email: 'rina@toko-nusa.example' };
  const items = [{ variant_id: variants[0]?.id, qty: 1 }];
  const order = await ask('POST /api/order', { contact, items, payment_method: 'cash' });
  await tell('GET /api/digital-store/{id}/license-keys', { state: 'held' }, id);
  await ask('POST /api/order/change_payment_status', { order_id: order.id, status: 'paid', method: 'cash' });
  const sent = async () => (await ask<{ deliveries: Made[] }>('GET /api/order/{id}', undefined, order.id)).deliveries;
  const [, file] = await until(sent, (rows) => rows.length === 2);
  await tell('POST /api/digital-store/deliveries/{id}/resend', { channel: 'email' }, file?.id ?? '');
  await tell('GET /api/digital-store/{id}', undefined, id);
  await tell('GET /api/digital-store');
  const old = await ask('POST /api/digital-store', { name: 'Kelas lama', price: 50_000 });
  await tell('DELETE /api/digital-store/{id}', undefined, old.id);
};
