import { until } from '@platform/testing';
import { pictureForm, type Made, type Story } from './walk.fixture';

const OWNER = 'owner@toko-nusa.example';
const PERSON = {
  ...{ full_name: 'Sari Wulandari', national_id: '3174012345670001', birth_date: '1990-05-17' },
  address: 'Jl. Tebet Raya No. 24, Jakarta Selatan',
};

/** The shop tells who stands behind it. */
export const proveIdentity = async ({ commerce, tell }: Story): Promise<void> => {
  const { id } = await tell('POST /api/verification', { kind: 'person', data: PERSON });
  await tell('PUT /api/verification/{id}', { data: { ...PERSON, birth_date: '1990-05-18' } }, id);
  await tell('POST /api/verification/{id}/document', pictureForm('file', 'ktp.jpg', { kind: 'id_card' }), id);
  await tell('GET /api/verification');
  const { users } = commerce.storeAuth;
  const before = users.get(OWNER) ?? { password: '' };
  users.set(OWNER, { ...before, phone: '6281234567890' });
  await tell('POST /api/verification/phone/send-otp');
  const code = () => commerce.mails.map(({ text }) => /telepon Anda: (\d{6})/.exec(text)?.[1]).find(Boolean);
  await until(async () => code() !== undefined);
  await tell('POST /api/verification/phone/confirm', { code: code() });
  users.set(OWNER, before);
};

/** The bot sells, and asks what has become of it. */
export const sellByBot = async ({ tell }: Story): Promise<void> => {
  const { orderNumber } = await tell<Made & { orderNumber: string }>('POST /api/payment/engine-bot/create-checkout', {
    ...{ idStore: 'S1', idUser: '6281234567893', instanceID: 'dev1' },
    items: [{ sku: 'SEPATU-HITAM-42', quantity: 1 }],
    customer: { name: 'Rudi Hartono', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' },
    idempotencyKey: 'percakapan-1',
  });
  await tell('GET /api/payment/engine-bot/check-status/{orderNumber}', undefined, orderNumber);
};
