import { uuidv7 } from '@platform/runtime';
import { newApiToken, newMember, newStore, useCommerce } from '../../../commerce.fixture';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const picture = (bytes: Buffer | string = PNG): FormData => {
  const data = new FormData();
  data.append('file', new Blob([bytes as string]), 'me.png');
  return data;
};
const portray = async (token: string, data: FormData | object = picture()) => {
  const { status, body } = await commerce.call('POST', '/api/profile/avatar', token, data);
  return { status, body: body as { data: { avatar_url: string }; code?: string } };
};
/** A member of a store who has signed in before. */
const rina = async () => {
  const storeId = await newStore(commerce);
  const { userId, token } = await newMember(commerce, storeId, 'cs');
  commerce.storeAuth.users.set(`${userId}@shop.example`, { password: 'a good passphrase', id: userId, nama: 'Rina' });
  await commerce.call('PUT', '/api/profile', token, { name: 'Rina' });
  return { storeId, userId, token };
};
const refs = (storeId: string) =>
  commerce.database.query('SELECT refs FROM media WHERE store_id = $1 ORDER BY id', [storeId]);

describe('my picture', () => {
  it('is shown to everybody, replaces the one before, and stays when I change my name', async () => {
    const { storeId, token } = await rina();
    const first = await portray(token);
    expect(first).toEqual({
      status: 200,
      body: {
        ...{ status: 'success', message: 'Profile updated' },
        data: {
          ...{ id: expect.any(String), name: 'Rina', email: expect.any(String), phone: null, locale: 'id' },
          ...{ timezone: 'Asia/Jakarta', email_verified: true, phone_verified: false, two_factor: false },
          avatar_url: expect.stringMatching(`^https://shop.example/blob/${storeId}/[0-9a-f-]{36}.png$`),
        },
      },
    });
    const { avatar_url: url } = (await portray(token)).body.data;
    expect(url).not.toBe(first.body.data.avatar_url);
    const served = await fetch(commerce.url + new URL(url).pathname);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG);
    const renamed = await commerce.call('PUT', '/api/profile', token, { name: 'Rina S' });
    expect(renamed.body).toMatchObject({ data: { name: 'Rina S', avatar_url: url } });
    const me = await commerce.call('GET', '/api/auth/me', token);
    expect(me.body).toMatchObject({ data: { user: { avatar_url: url } } });
    expect(await refs(storeId)).toEqual([{ refs: 0 }, { refs: 1 }]);
  });

  it('of ten at once is one, and the others are shown by nobody', async () => {
    const { storeId, token } = await rina();
    await Promise.all(Array.from({ length: 10 }, () => portray(token)));
    const shown = (await refs(storeId)).map((row) => (row as { refs: number }).refs);
    expect(shown.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('is a JPEG, PNG or WebP by its first bytes, of two megabytes', async () => {
    const { storeId, token } = await rina();
    const answers = [
      await portray(token, picture('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      await portray(token, picture('GIF89a0000000000')),
      await portray(token, picture(Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]))),
      await portray(token, new FormData()),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 415, 413, 422]);
    expect(await refs(storeId)).toEqual([]);
  });

  it('is no matter of an API token, nor of the library of the store', async () => {
    const { storeId, token } = await rina();
    const { token: script } = await newApiToken(commerce, storeId, { abilities: ['upload.write'] });
    expect(await portray(script)).toMatchObject({ status: 403, body: { code: 'token_not_allowed' } });
    await portray(token);
    const library = await commerce.call('GET', '/api/upload', token);
    expect(library.body).toMatchObject({ data: [], meta: { total: 0 } });
    const stranger = commerce.storeAuth.userToken({ sub: uuidv7(), store_id: storeId });
    expect((await portray(stranger)).status).toBe(404);
  });
});
