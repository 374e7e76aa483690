// What commerce-api changes of a campaign that has not begun, while others change or fill it.
import { CONTENT, newId, people, useCampaigns, wallClock } from './broadcasts.fixture';

const chat = useCampaigns();
const META = { audience: { all: true }, schedule_at: null };
const DRAFT = { store_id: 'S1', ...CONTENT, meta: META };
const NOBODY = { total: 0, valid: 0, duplikat: 0, tidak_valid: 0, opt_out: 0 };

type Answer = { code?: string; data?: object };
const call = async (method: string, path: string, body: object) =>
  (await chat.internal(method, path, { store_id: 'S1', ...body })).body as Answer;
const save = (id: string, more: object = {}) => call('PUT', `/${id}`, { ...DRAFT, ...more });
const fill = (id: string, filling: string) => call('PUT', `/${id}/recipients`, { filling });
const add = (id: string, penerima: object[], more: object = {}) =>
  call('POST', `/${id}/recipients`, { penerima, ...more });
const act = (id: string, aksi: string, more: object = {}) => call('POST', `/${id}/action`, { aksi, ...more });
const made = async () => {
  const id = newId();
  await save(id);
  return id;
};
const changed = { result: false, message: 'broadcast sudah diubah', code: 'version_conflict' };
const numbers = async (id: string) =>
  (
    await chat.database.query<{ nohp: string }>(
      'SELECT nohp FROM broadcast_recipients WHERE broadcast_id = $1 ORDER BY ord',
      [id],
    )
  ).map(({ nohp }) => nohp);
const numbersOf = (list: { nohp: string }[]) => list.map(({ nohp }) => nohp);

describe('a filling', () => {
  it('begins with nobody, and alone adds to the campaign and starts it', async () => {
    const id = await made();
    const [first, second] = [newId(), newId()];
    expect(await fill(id, first)).toMatchObject({ data: { status: 'draft', ...NOBODY } });
    expect(await add(id, people(3, '6284'), { filling: first })).toMatchObject({ data: { total: 3, valid: 3 } });
    expect(await fill(id, second)).toMatchObject({ data: { status: 'draft', ...NOBODY } });
    for (const late of [
      await add(id, people(2, '6285'), { filling: first }),
      await act(id, 'start', { filling: first }),
      await act(id, 'schedule', { filling: first, jadwal: wallClock(60) }),
    ])
      expect(late).toMatchObject({ ...changed, data: { status: 'draft', ...NOBODY } });
    await add(id, people(1, '6286'), { filling: second });
    expect(await act(id, 'start', { filling: second })).toMatchObject({ data: { status: 'sending', total: 1 } });
    expect(await numbers(id)).toEqual(numbersOf(people(1, '6286')));
    await chat.reaches(`S1.${id}`, 'done');
    expect(await fill(id, newId())).toMatchObject({ code: 'broadcast_started' });
    expect(await act(id, 'start', { filling: second })).toMatchObject({ code: 'broadcast_started' });
  });

  it('takes what is scheduled back, and says when it is to begin', async () => {
    const id = await made();
    const [filling, jadwal] = [newId(), wallClock(60)];
    await act(id, 'schedule', { jadwal });
    expect(await fill(id, filling)).toMatchObject({ data: { status: 'draft', jadwal: null } });
    const meta = { schedule_at: 'then' };
    expect(await act(id, 'schedule', { filling, jadwal, meta })).toMatchObject({
      data: { status: 'scheduled', jadwal, meta: { ...META, ...meta } },
    });
  });

  it('ends with a change that empties the campaign, and outlives any other', async () => {
    const id = await made();
    const filling = newId();
    await fill(id, filling);
    await add(id, people(2, '6287'), { filling });
    expect(await save(id, { nama: 'Lain' })).toMatchObject({ data: { nama: 'Lain', total: 2 } });
    expect(await add(id, people(3, '6287'), { filling })).toMatchObject({ data: { valid: 3 } });
    expect(await save(id, { refill: true })).toMatchObject({ data: { nama: 'Promo', status: 'draft', ...NOBODY } });
    expect(await numbers(id)).toEqual([]);
    expect(await add(id, people(1, '6288'), { filling })).toMatchObject(changed);
  });
});

describe('a save', () => {
  it('that is a change is refused when something else has been changed since, or the state has', async () => {
    const id = await made();
    const seen = { nama: 'Promo', status: 'draft', meta: META };
    const meta = { ...META, audience: { tag: 'VIP' } };
    expect(await save(id, { meta, if_same: seen })).toMatchObject({ data: { meta } });
    expect(await save(id, { nama: 'Lain', if_same: seen })).toMatchObject({
      ...changed,
      data: { nama: 'Promo', meta },
    });
    await act(id, 'schedule', { jadwal: wallClock(60) });
    expect(await save(id, { if_same: { nama: 'Promo', status: 'draft', meta } })).toMatchObject({
      ...changed,
      data: { meta },
    });
    const bare = newId();
    await save(bare, { meta: undefined });
    for (const empty of [{}, { meta: null }])
      expect(
        await save(bare, { meta: undefined, if_same: { nama: 'Promo', status: 'draft', ...empty } }),
      ).toMatchObject({
        data: { meta: null },
      });
    const absent = newId();
    expect(await save(absent, { if_same: seen })).toEqual({
      ...{ result: false, message: 'broadcast tidak ditemukan', code: 'broadcast_not_found' },
    });
    expect(await save(id, { if_same: { nama: 'Promo', status: 'scheduled', meta } })).toMatchObject({
      data: { meta: META },
    });
  });

  it('that makes one leaves what has its id already as it is', async () => {
    const id = newId();
    const each = [{ nama: 'a' }, { nama: 'b' }, { nama: 'c' }].map((more) => save(id, { if_absent: true, ...more }));
    const [one, ...others] = await Promise.all(each);
    for (const other of others) expect(other).toEqual(one);
    await act(id, 'start');
    await chat.reaches(`S1.${id}`, 'done');
    expect(await save(id, { if_absent: true })).toMatchObject({ result: true, data: { status: 'done' } });
  });
});
