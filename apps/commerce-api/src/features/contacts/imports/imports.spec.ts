import { join } from 'node:path';
import { Housekeeping } from '@platform/data';
import { startScript, until } from '@platform/testing';
import { ownStore, refused, type Ask } from '../../../asked.fixture';
import { bearer, newMember, useCommerce } from '../../../commerce.fixture';
import type { Job } from '../../../imports/import.dto';
import { toldOf } from '../../notifications/notifications.fixture';
import { limits } from '../../../limits';
import type { Contact } from '../people/public';
import { contactImport } from './public';

const commerce = useCommerce();

const csvForm = (csv: string, mode: string): FormData => {
  const data = new FormData();
  data.append('mode', mode);
  data.append('file', new Blob([csv]), 'contacts.csv');
  return data;
};
const upload = (ask: Ask, csv: string, mode = 'create') => ask<Job>('POST', '/contact/import', csvForm(csv, mode));
const commit = (ask: Ask, job_id: string) => ask<Job>('POST', '/contact/import', { job_id, commit: true });
const job = async (ask: Ask, id: string): Promise<Job> => (await ask<Job>('GET', `/contact/import/${id}`)).body.data;
const ended = (ask: Ask, id: string): Promise<Job> =>
  until(
    () => job(ask, id),
    ({ state }) => state === 'done' || state === 'failed',
  );
const imported = async (ask: Ask, csv: string, mode?: string): Promise<Job> => {
  const { id } = (await upload(ask, csv, mode)).body.data;
  expect((await commit(ask, id)).status).toBe(202);
  return ended(ask, id);
};
const jobView = (more: object) => ({
  ...{ id: expect.any(String) as string, kind: 'contacts.import', state: 'preview', errors: [], result: null },
  ...{ created_at: '2026-03-01T08:00:00.000Z', ...more },
});
const list = async (ask: Ask): Promise<Contact[]> =>
  (await ask<Contact[]>('GET', '/contact?sort=name&per_page=100')).body.data;
const counted = async (storeId: string): Promise<object> => {
  const count = `SELECT (SELECT count(*)::int FROM contact WHERE store_id = $1) AS contacts,
    (SELECT count(*)::int FROM contact_phone WHERE store_id = $1) AS phones,
    (SELECT count(*)::int FROM contact_tag WHERE store_id = $1) AS tags,
    (SELECT count(*)::int FROM sync_pending WHERE store_id = $1) AS told,
    (SELECT count(*)::int FROM job_batch WHERE store_id = $1) AS batches,
    (SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'contacts') AS used`;
  return (await commerce.database.query<object>(count, [storeId]))[0] ?? {};
};

/** Numbers in every form that people write; `bad` tells the rows whose number is none. */
const people = (rows: number, bad = (_row: number): boolean => false): string => {
  const forms = ['0812', '+62 812-', '62812', '(62)812.', '0062 812 '];
  const lines = Array.from({ length: rows }, (_, at) => {
    const phone = bad(at + 2) ? '12' : `${forms[at % forms.length]}${String(at).padStart(7, '0')}`;
    return `Orang ${at},${phone},orang${at}@shop.example,VIP;Kota ${at % 3}`;
  });
  return ['name,phone,email,tags', ...lines, ''].join('\r\n');
};

describe('a commit', () => {
  it('tells the rows that it could not write, however many its preview had left out', async () => {
    const { ask } = await ownStore(commerce);
    const { body } = await upload(
      ask,
      people(600, (row) => row < 601),
    );
    expect(body.data.errors).toHaveLength(500);
    const taken = `62812${'599'.padStart(7, '0')}`;
    expect((await ask('POST', '/contact', { name: 'Budi', phone: taken })).status).toBe(201);
    await commit(ask, body.data.id);
    const { errors, result } = await ended(ask, body.data.id);
    expect([errors.length, errors.at(-1)?.row, result]).toMatchObject([500, 601, { failed: 1 }]);
  });
});

describe('a file of 10,000 contacts', () => {
  it('of which 50 are bad shows those in its preview, and its commit takes the rest once, whoever commits twice', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const preview = await upload(
      ask,
      people(10_000, (row) => row % 200 === 7),
    );
    const errors = Array.from({ length: 50 }, (_, at) => ({
      ...{ row: 7 + 200 * at, field: 'phone', message: 'phone must be a valid E.164 formatted phone number' },
    }));
    const data = jobView({ progress: { done: 0, total: 9_950 }, errors });
    expect(preview).toEqual({ status: 202, body: { status: 'success', message: 'OK', data } });
    const nothing = { contacts: 0, phones: 0, tags: 0, told: 0, batches: 50, used: null };
    expect(await counted(storeId)).toEqual(nothing);
    const { id } = preview.body.data;
    await Promise.all([commit(ask, id), commit(ask, id)]);
    await until(
      () => job(ask, id),
      ({ progress }) => progress.done > 0,
    );
    expect(await ended(ask, id)).toEqual(
      jobView({
        ...{ state: 'done', progress: { done: 9_950, total: 9_950 }, errors },
        result: { created: 9_950, updated: 0, unchanged: 0, failed: 0 },
      }),
    );
    expect(await toldOf(commerce, storeId, 'job.done')).toEqual(['Impor kontak selesai']);
    const all = { contacts: 9_950, phones: 9_950, tags: 19_900, told: 9_950, batches: 0, used: 9_950 };
    expect(await counted(storeId)).toEqual(all);
    expect(await commit(ask, id)).toMatchObject({ status: 202, body: { data: { state: 'done' } } });
    expect(await counted(storeId)).toEqual(all);
  });

  it('whose commit is killed with kill -9 goes on in another process without a duplicate', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await upload(ask, people(4_000))).body.data;
    const update = `UPDATE job_row SET state = 'queued' WHERE store_id = $1 AND id = $2`;
    await commerce.database.query(update, [storeId, id]);
    const env = { DATABASE_URL: commerce.database.url, STORE: storeId, JOB: id };
    const killed = startScript(join(__dirname, 'import.child.ts'), env);
    await until(
      () => job(ask, id),
      ({ progress }) => progress.done > 0,
    );
    await killed.stop();
    expect((await job(ask, id)).progress.done).toBeLessThan(4_000);
    const second = startScript(join(__dirname, 'import.child.ts'), env);
    expect(await ended(ask, id)).toMatchObject({
      ...{ progress: { done: 4_000, total: 4_000 } },
      result: { created: 4_000, updated: 0, unchanged: 0, failed: 0 },
    });
    await second.stop();
    const all = { contacts: 4_000, phones: 4_000, tags: 8_000, told: 4_000, batches: 0, used: 4_000 };
    expect(await counted(storeId)).toEqual(all);
  });
});

describe('an import of contacts', () => {
  it('of the exported file changes nothing; of a changed one it adds what is new and takes nothing away', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const budi = { name: 'Budi', phone: '081111111', email: 'b@shop.example', birthday: '1990-05-17', source: 'toko' };
    await ask('POST', '/contact', { ...budi, tags: ['VIP', 'Grosir'], opted_out: true });
    await ask('POST', '/contact', { name: '=1+1', phone: '082222222' });
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const exported = async () => (await commerce.get('/api/contact/export', bearer(token))).body as string;
    const csv = await exported();
    const same = { created: 0, updated: 0, unchanged: 2, failed: 0 };
    expect(await imported(ask, csv, 'upsert')).toMatchObject({ state: 'done', errors: [], result: same });
    expect(await exported()).toBe(csv);
    const changes = 'phone;name;tags;opted_out\n+62 81 111 111;Budi S;Emas;false\n082222222;;;\n0833333333;;;\n';
    expect((await imported(ask, changes, 'upsert')).result).toEqual({ ...same, created: 1, updated: 1, unchanged: 1 });
    expect(
      (await list(ask)).map(({ name, phone, tags, opted_out }) => ({
        ...{ name, phone, opted_out, tags: tags.map((tag) => tag.name) },
      })),
    ).toEqual([
      { name: null, phone: '62833333333', opted_out: false, tags: [] },
      { name: '=1+1', phone: '6282222222', opted_out: false, tags: [] },
      { name: 'Budi S', phone: '6281111111', opted_out: true, tags: ['Emas', 'Grosir', 'VIP'] },
    ]);
  });

  it('tells every fault of its rows, and takes the others', async () => {
    const { ask } = await ownStore(commerce);
    await ask('POST', '/contact', { name: 'Budi', phone: '081111111' });
    const csv = [
      'phone,name,email,birthday,tags',
      ...['081111111,Budi,,,', ',Ani,,,', '082222222,Ani,ani,,', '083333333,Ani,,17-05-1990,', '084444444,Ani,,,A'],
      ...[`+6284444444,Ani,,,`, `085555555,Ani,,,${'x'.repeat(41)}`, '086666666,A\u0000,,,'],
    ].join('\n');
    const { body } = await upload(ask, csv);
    expect(body.data.errors.map(({ row, field, message }) => `${row} ${field}: ${message}`)).toEqual([
      '2 phone: phone is taken',
      '3 phone: phone is a required field',
      '4 email: email must be a valid email address',
      '5 birthday: birthday does not match the 2006-01-02 format',
      '7 phone: phone is that of row 6',
      '8 tags: tags must be at maximum 20 names of 40 characters',
      "9 name: name cannot contain the following 'U+0000'",
    ]);
    expect((await imported(ask, csv)).result).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 0 });
  });

  it('finds a merged contact by each of its numbers', async () => {
    const { ask } = await ownStore(commerce);
    const add = async (phone: string) => (await ask<Contact>('POST', '/contact', { name: 'Budi', phone })).body.data.id;
    const [keep_id, other] = [await add('081111111'), await add('082222222')];
    await ask('POST', '/contact/merge', { keep_id, merge_ids: [other] });
    const csv = 'phone,name\n081111111,Satu\n082222222,Dua\n';
    expect((await imported(ask, csv, 'upsert')).result).toEqual({ created: 0, updated: 2, unchanged: 0, failed: 0 });
    expect((await list(ask)).map(({ id, name }) => [id, name])).toEqual([[keep_id, 'Dua']]);
  });

  it('takes as many new contacts as the plan has room for, and all that are known', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await ask('POST', '/contact', { name: 'Budi', phone: '081111111' });
    await commerce.database.query(`UPDATE plan_use SET allowed = 2 WHERE store_id = $1 AND metric = 'contacts'`, [
      storeId,
    ]);
    const csv = 'phone,name\n082222222,A\n083333333,B\n081111111,C\n084444444,D\n';
    expect(await imported(ask, csv, 'upsert')).toMatchObject({
      errors: [3, 5].map((row) => ({ row, field: '', message: 'The plan allows 2 (contacts)' })),
      result: { created: 1, updated: 1, unchanged: 0, failed: 2 },
    });
    expect((await list(ask)).map(({ name }) => name)).toEqual(['A', 'C']);
  });

  it('makes as many tags as a store may have, in their order, and fails for the rows alone that want others', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO tag (store_id, id, name, created_at, updated_at)
       SELECT $1, uuidv7(), 'Kota ' || n, now(), now() FROM generate_series(1, 999) n`,
      [storeId],
    );
    const csv =
      'phone,tags\n081111111,kota 7\n082222222,Baru;Kota 8\n083333333,baru\n084444444,KOTA 9;Lain\n085555555,\n';
    expect(await imported(ask, csv)).toMatchObject({
      errors: [{ row: 5, field: 'tags', message: 'A store has at most 1000 tags' }],
      result: { created: 4, updated: 0, unchanged: 0, failed: 1 },
    });
    const tagged = (await list(ask)).map(({ phone, tags }) => [phone, ...tags.map(({ name }) => name)]);
    expect(tagged.sort()).toEqual([
      ['6281111111', 'Kota 7'],
      ['6282222222', 'Baru', 'Kota 8'],
      ['6283333333', 'Baru'],
      ['6285555555'],
    ]);
  });

  it('fails for the rows alone whose number became somebody’s between preview and commit', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = (await upload(ask, 'phone,name\n081111111,A\n082222222,B\n')).body.data;
    await ask('POST', '/contact', { name: 'Mine', phone: '082222222' });
    await commit(ask, id);
    expect(await ended(ask, id)).toMatchObject({
      errors: [{ row: 3, field: 'phone', message: 'phone is taken' }],
      result: { created: 1, updated: 0, unchanged: 0, failed: 1 },
    });
  });

  it('is not for a member who does not see all chats', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await upload(ask, 'phone\n081111111\n')).body.data;
    const { token } = await newMember(commerce, storeId, 'cs');
    const needed = refused(403, 'forbidden', 'This needs the ability chat.all', { ability: 'chat.all' });
    for (const [method, path, body] of [
      ['POST', '', { job_id: id, commit: true }],
      ['GET', `/${id}`, undefined],
    ] as const) {
      const answer = await commerce.call(method, `/api/contact/import${path}`, token, body);
      expect({ status: answer.status, body: answer.body }).toEqual(needed);
    }
  });
});

it('an import that makes no contact waits for nobody who does, and is not waited for in a circle', async () => {
  const { ask, storeId } = await ownStore(commerce);
  await ask('POST', '/contact', { name: 'Ani', phone: '6281234567890' });
  const { database, clock } = commerce;
  const by = { storeId, actor: 'u1', at: clock.now() } as never;
  const items = [{ rows: [2], phone: '6281234567890', tags: ['Baru'] }];
  const written = await database.tx(async (tx) => {
    await limits.require(tx, storeId, 'contacts');
    return database.tx(async (other) => {
      await other.query(`SET LOCAL lock_timeout = '100ms'`);
      return contactImport(async () => undefined).write(other, by, items, 'upsert');
    });
  });
  expect(written).toEqual(['updated']);
});

it('a file that was read and never saved is forgotten after a month, and with it whom it names', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { id } = (await upload(ask, people(300))).body.data;
  const keptAfter = async (days: number) => {
    commerce.clock.advance(days * 86_400_000);
    for (const component of commerce.app.components.flat())
      if (component instanceof Housekeeping) await component.sweep();
    commerce.clock.advance(-days * 86_400_000);
    const batches = 'SELECT 1 FROM job_batch WHERE store_id = $1';
    return [
      (await ask('GET', `/contact/import/${id}`)).status,
      (await commerce.database.query(batches, [storeId])).length,
    ];
  };
  expect([await keptAfter(29), await keptAfter(31)]).toEqual([
    [200, 2],
    [404, 0],
  ]);
});
