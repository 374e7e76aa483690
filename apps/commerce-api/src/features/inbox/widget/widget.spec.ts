import { uuidv7 } from '@platform/runtime';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded } from '../../../asked.fixture';
import { bearer, newMember, useCommerce } from '../../../commerce.fixture';

const commerce = useCommerce();
const USUAL = {
  ...{ enabled: false, title: '', greeting: '', color: '#128c7e', position: 'right' },
  ...{ device_id: null, allowed_hosts: [] },
};
const deviceOf = async (storeId: string): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at) VALUES ($1, $2, $3, 'WA', now(), now())`,
    [storeId, id, `dev-${id}`],
  );
  return id;
};

it('the chat of the website is off until the shop sets it, and keeps what a change does not name', async () => {
  const { storeId, ask } = await ownStore(commerce);
  expect(await ask('GET', '/livechat/widget')).toEqual(succeeded(200, 'OK', USUAL));
  const device_id = await deviceOf(storeId);
  const set = { enabled: true, title: 'Tanya kami', greeting: 'Halo!', color: '#FF8800', position: 'left', device_id };
  const allowed_hosts = ['Toko.Example', 'toko.example', 'www.toko.example'];
  const after = { ...set, allowed_hosts: ['toko.example', 'www.toko.example'] };
  expect(await ask('PUT', '/livechat/widget', { ...set, allowed_hosts })).toEqual(
    succeeded(200, 'Widget updated', after),
  );
  expect(await ask('PUT', '/livechat/widget', { enabled: false, allowed_hosts: [] })).toEqual(
    succeeded(200, 'Widget updated', { ...after, enabled: false, allowed_hosts: [] }),
  );
  await commerce.database.query('DELETE FROM device WHERE store_id = $1', [storeId]);
  expect(await ask('GET', '/livechat/widget')).toEqual(
    succeeded(200, 'OK', { ...after, enabled: false, allowed_hosts: [], device_id: null }),
  );
  expect(await auditedIn(commerce, storeId)).toEqual([
    'settings.write livechat_widget: allowed_hosts, color, device_id, enabled, greeting, position, title',
    'settings.write livechat_widget: allowed_hosts, enabled',
  ]);
});

it('what is no color, no host or no device of the store is refused, and nothing changes', async () => {
  const { storeId, ask } = await ownStore(commerce);
  const theirs = await deviceOf((await ownStore(commerce)).storeId);
  const put = (body: object) => ask('PUT', '/livechat/widget', body);
  expect(await put({ color: 'red' })).toEqual(invalid('color', 'color must be of the form #rrggbb'));
  for (const host of ['https://toko.example', 'toko', 'a b.example', '*.example', 'toko.example:80'])
    expect(await put({ allowed_hosts: ['a.example', host] })).toMatchObject({
      ...{
        status: 422,
        body: { errors: { 'allowed_hosts.1': [expect.stringMatching(/must be the name of a host$/)] } },
      },
    });
  expect(await put({ device_id: theirs })).toEqual(notHere('device_id', 'is not a device of this store'));
  const { token } = await newMember(commerce, storeId, 'cs');
  expect(await commerce.call('PUT', '/api/livechat/widget', token, { enabled: true })).toMatchObject(
    refused(403, 'forbidden', 'This needs the ability settings.write', { ability: 'settings.write' }),
  );
  expect((await commerce.get('/api/livechat/widget', bearer(token))).body).toMatchObject({ data: USUAL });
});

it('of two changes at once neither is lost', async () => {
  const { ask } = await ownStore(commerce);
  await Promise.all([
    ask('PUT', '/livechat/widget', { title: 'Tanya kami' }),
    ask('PUT', '/livechat/widget', { greeting: 'Halo!' }),
  ]);
  expect((await ask('GET', '/livechat/widget')).body.data).toEqual({
    ...{ ...USUAL, title: 'Tanya kami', greeting: 'Halo!' },
  });
});
