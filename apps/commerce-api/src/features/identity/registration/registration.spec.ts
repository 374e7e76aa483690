import { Housekeeping } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until, useOpened } from '@platform/testing';
import { startCommerce, useCommerce, type Commerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { REGISTRATION_BEGIN } from './registration.service';

const PASSWORD = 'a good passphrase';
const commerce = useCommerce();
const opened = useOpened();

const newcomer = () => {
  const id = uuidv7();
  return {
    name: 'Budi',
    email: `${id}@toko-baru.example`,
    phone: '081234567890',
    password: PASSWORD,
    store_name: `Toko ${id}`,
  };
};
const post = async (path: string, body: object, at: Commerce = commerce) => {
  const answer = await at.call('POST', `/api/auth/${path}`, undefined, body);
  return { status: answer.status, body: answer.body };
};
const invalid = (field: string, message: string) => ({
  status: 422,
  body: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
});
const onItsWay = {
  status: 200,
  body: { status: 'success', message: 'If the address is registered, a message is on its way', data: null },
};

const stores = (email: string, { database }: Commerce = commerce) =>
  database.query<{ role: string; slug: string; warehouses: string; owner: boolean }>(
    `SELECT m.system_role AS role, s.slug, s.owner_user_id = p.user_id AS owner,
       (SELECT count(*) FROM warehouse w WHERE w.store_id = s.store_id AND w.is_default) AS warehouses
     FROM person p JOIN membership m USING (user_id) JOIN store s USING (store_id) WHERE p.email = $1`,
    [email],
  );
const mailTo = (email: string, at: Commerce = commerce) => until(async () => at.mails.find(({ to }) => to === email));
const codeIn = (text = '') => /: (\S+)/.exec(text)?.[1] ?? '';

describe('registering', () => {
  it('makes a user, who owns a store with a warehouse, and sends a code that confirms the address', async () => {
    const wanted = newcomer();
    const { status, body } = await post('register', wanted);
    expect({ status, message: (body as { message: string }).message }).toEqual({
      status: 201,
      message: 'Account created',
    });
    const slug = wanted.store_name.toLowerCase().replace(' ', '-');
    expect(await stores(wanted.email)).toEqual([{ role: 'owner', slug, warehouses: '1', owner: true }]);
    const mail = await mailTo(wanted.email);
    expect(commerce.storeAuth.users.get(wanted.email)?.unverified).toBe(true);
    const code = codeIn(mail?.text);
    expect(
      await post('verify', { email: wanted.email, code: code === 'ABCDE23456' ? 'ABCDE23457' : 'ABCDE23456' }),
    ).toEqual(invalid('code', 'code is wrong or has expired'));
    expect(await post('verify', { email: wanted.email.toUpperCase(), code })).toEqual({
      status: 200,
      body: { status: 'success', message: 'Email confirmed', data: { verified: true } },
    });
    expect(commerce.storeAuth.users.get(wanted.email)?.unverified).toBe(false);
    expect((await post('login', { email: wanted.email, password: PASSWORD })).status).toBe(200);
  });

  it('is confirmed by the code however many wrong ones a stranger has sent for the address', async () => {
    const wanted = newcomer();
    await post('register', wanted);
    const code = codeIn((await mailTo(wanted.email))?.text);
    for (let n = 0; n < 7; n++)
      expect((await post('verify', { email: wanted.email, code: `WRONG${n}2345` })).status).toBe(422);
    expect((await post('verify', { email: wanted.email, code: ` ${code.toLowerCase()}` })).status).toBe(200);
    expect((await post('verify', { email: wanted.email, code })).status).toBe(422);
  });

  it('five times at once with one address makes one user and one store', async () => {
    const wanted = newcomer();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('register', wanted)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 422)).toEqual([]);
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(await stores(wanted.email)).toHaveLength(1);
  });

  it('with an address that is registered, or a weak password, makes nothing', async () => {
    const wanted = newcomer();
    await post('register', wanted);
    const again = { ...newcomer(), email: wanted.email };
    expect(await post('register', again)).toEqual(invalid('email', 'email is registered already'));
    expect(await stores(wanted.email)).toHaveLength(1);
    const weak = { ...newcomer(), password: 'password1' };
    expect(await post('register', weak)).toEqual(
      invalid('password', 'password is too short, or one that many people use: choose another one'),
    );
    expect(await stores(weak.email)).toEqual([]);
    expect((await post('register', { ...newcomer(), timezone: 'Mars/Olympus' })).status).toBe(422);
  });

  it('two shops with one name have different addresses', async () => {
    const name = `Toko Kembar ${uuidv7()}`;
    const [one, two] = [newcomer(), newcomer()];
    await post('register', { ...one, store_name: name });
    await post('register', { ...two, store_name: name });
    const [first] = await stores(one.email);
    const [second] = await stores(two.email);
    expect(second?.slug).toMatch(new RegExp(`^${first?.slug}-[0-9a-f]{4}$`));
  });
});

describe('a registration that was cut off', () => {
  const due = ({ database }: Commerce) =>
    database.query(`UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE run_at > now()`);
  /** What a wait in vain is to show: how far it has come, and what its job says. */
  const resumed = async (email: string, shop: Commerce) => ({
    stores: await stores(email, shop),
    registrations: await shop.database.query<{ state: string }>('SELECT state FROM registration WHERE email = $1', [
      email,
    ]),
    jobs: await shop.database.query<{ task_identifier: string; run_at: Date }>(
      'SELECT task_identifier, attempts, run_at, last_error FROM commerce_api_jobs.jobs',
    ),
  });

  it('by kill -9 after the user was made is finished by its job: one user, one store', async () => {
    const shop = opened(await startCommerce());
    let answer: () => void = () => undefined;
    shop.storeAuth.answering = new Promise((resolve) => {
      answer = resolve;
    });
    opened({ stop: () => answer() });
    const program = opened(await startSecondProcess(shop, { SENDS: 'held' }));
    const wanted = newcomer();
    let told: unknown;
    const lost = fetch(`${program.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    }).then(
      async (answered) => (told = `${answered.status} ${await answered.text()}`),
      () => (told = 'cut off'),
    );
    // An answer before that says why no user is ever made
    await until(() => told !== undefined || shop.storeAuth.users.has(wanted.email));
    expect(told).toBeUndefined();
    await program.stop('SIGKILL');
    expect(await lost).toBe('cut off');
    answer();
    expect(await stores(wanted.email, shop)).toEqual([]);
    await due(shop);
    await until(
      () => resumed(wanted.email, shop),
      ({ stores: made }) => made.length > 0,
    );
    expect(await stores(wanted.email, shop)).toHaveLength(1);
    expect([...shop.storeAuth.users.keys()]).toEqual([wanted.email]);
    await mailTo(wanted.email, shop);
    expect((await post('register', wanted, shop)).status).toBe(422);
    expect(await stores(wanted.email, shop)).toHaveLength(1);
  });

  it('is not looked for while its request goes on, also by a process that is an hour behind', async () => {
    const shop = opened(await startCommerce());
    let answer: () => void = () => undefined;
    shop.storeAuth.answering = new Promise((resolve) => {
      answer = resolve;
    });
    opened({ stop: () => answer() });
    const [wanted, real] = [newcomer(), Date.now];
    jest.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
    const asked = post('register', wanted, shop);
    await until(() => shop.storeAuth.users.has(wanted.email));
    jest.restoreAllMocks();
    const { jobs, registrations } = await resumed(wanted.email, shop);
    const waits = jobs.map(({ task_identifier, run_at }) => [task_identifier, run_at.getTime() > Date.now()]);
    answer();
    expect([(await asked).status, registrations, waits]).toEqual([
      ...[201, [{ state: 'begun' }]],
      [['registration.resume', true]],
    ]);
  });

  it('before the user was made is dropped, and the address can be registered', async () => {
    const shop = opened(await startCommerce());
    const weak = { ...newcomer(), password: 'password1' };
    await post('register', weak, shop);
    await due(shop);
    await until(
      () => resumed(weak.email, shop),
      ({ registrations: [row] }) => row?.state === 'dropped',
    );
    expect((await post('register', { ...weak, password: PASSWORD }, shop)).status).toBe(201);
    expect(await stores(weak.email, shop)).toHaveLength(1);
  });
});

describe('an address that was registered before', () => {
  const idsOf = async (email: string) =>
    (
      await commerce.database.query<{ user_id: string; store_id: string }>(
        'SELECT user_id, store_id FROM registration WHERE email = $1',
        [email],
      )
    )[0] ?? { user_id: '', store_id: '' };

  it('in vain gets a store of the name that was wanted last', async () => {
    const wanted = newcomer();
    expect((await post('register', { ...wanted, password: 'password1', store_name: 'Toko Salah' })).status).toBe(422);
    expect((await post('register', wanted)).status).toBe(201);
    expect(await stores(wanted.email)).toMatchObject([{ slug: wanted.store_name.toLowerCase().replace(' ', '-') }]);
  });

  it('and whose user store-auth made when nobody waited any more gets its store at last', async () => {
    const wanted = newcomer();
    await post('register', { ...wanted, password: 'password1' });
    const { user_id: id, store_id } = await idsOf(wanted.email);
    await commerce.database.query(`UPDATE registration SET state = 'dropped' WHERE email = $1`, [wanted.email]);
    commerce.storeAuth.users.set(wanted.email, { id, password: PASSWORD, unverified: true, stores: [store_id] });
    expect((await post('register', wanted)).status).toBe(201);
    expect(await stores(wanted.email)).toHaveLength(1);
  });

  it('is sought and forgotten by indexes, and what anybody can begin is forgotten in the end', async () => {
    const wanted = { ...newcomer(), password: 'password1' };
    await post('register', wanted);
    const values = [uuidv7(), uuidv7(), uuidv7(), wanted.email, '{}', new Date()];
    expectNoSeqScan(await explain(commerce.database, REGISTRATION_BEGIN, values), 'registration');
    const sweep = async () => {
      for (const component of commerce.app.components.flat())
        if (component instanceof Housekeeping) await component.sweep();
    };
    await sweep();
    expect((await idsOf(wanted.email)).user_id).not.toBe('');
    commerce.clock.advance(31 * 86_400_000);
    await sweep();
    commerce.clock.advance(-31 * 86_400_000);
    expect((await idsOf(wanted.email)).user_id).toBe('');
  });
});

describe('a forgotten password', () => {
  it('is replaced with the link of the message, once', async () => {
    const email = `${uuidv7()}@toko-nusa.example`;
    commerce.storeAuth.users.set(email, { password: PASSWORD });
    expect(await post('forgot-password', { email })).toEqual(onItsWay);
    const mail = await mailTo(email);
    const token = /\/reset-password\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(mail?.text).toContain('https://shop.example/reset-password/');
    const next = 'another good passphrase';
    expect(await post('reset-password', { token, password: next })).toEqual({
      status: 200,
      body: { status: 'success', message: 'Password updated', data: null },
    });
    expect(commerce.storeAuth.users.get(email)?.password).toBe(next);
    expect(await post('reset-password', { token, password: PASSWORD })).toEqual(
      invalid('token', 'token is wrong or has expired'),
    );
  });

  it('of an address that nobody has is answered alike, and nothing is sent', async () => {
    const [nobody, somebody] = [`${uuidv7()}@toko-nusa.example`, `${uuidv7()}@toko-nusa.example`];
    commerce.storeAuth.users.set(somebody, { password: PASSWORD });
    expect(await post('forgot-password', { email: nobody })).toEqual(onItsWay);
    expect(await post('resend-verification', { email: nobody })).toEqual(onItsWay);
    await post('forgot-password', { email: somebody });
    await mailTo(somebody);
    expect(commerce.mails.filter(({ to }) => to === nobody)).toEqual([]);
  });

  it('fills nobody’s mailbox: one message a minute, however often it is asked for', async () => {
    const email = `${uuidv7()}@toko-nusa.example`;
    commerce.storeAuth.users.set(email, { password: PASSWORD });
    await post('forgot-password', { email });
    await mailTo(email);
    const idle = async () => {
      const left = await commerce.database.query(
        `SELECT 1 FROM commerce_api_jobs.jobs WHERE task_identifier = 'code.send' AND attempts < max_attempts`,
      );
      return left.length === 0;
    };
    await until(idle);
    await post('forgot-password', { email });
    await post('forgot-password', { email });
    await until(idle);
    expect(commerce.mails.filter(({ to }) => to === email)).toHaveLength(1);
    commerce.clock.advance(61_000);
    await post('forgot-password', { email });
    await until(async () => commerce.mails.filter(({ to }) => to === email).length === 2);
  });
});

it('an address gets five messages an hour, however often and patiently they are asked for, and another hour later', async () => {
  const email = `${uuidv7()}@toko-nusa.example`;
  commerce.storeAuth.users.set(email, { password: PASSWORD });
  const sent = () => commerce.mails.filter(({ to }) => to === email).length;
  const asked = async () => {
    await post('forgot-password', { email });
    const waits = `SELECT 1 FROM commerce_api_jobs.jobs WHERE task_identifier = 'code.send' AND attempts < max_attempts`;
    await until(async () => (await commerce.database.query(waits)).length === 0);
    commerce.clock.advance(2 * 60_000);
  };
  for (let times = 0; times < 7; times++) await asked();
  expect(sent()).toBe(5);
  commerce.clock.advance(50 * 60_000);
  await asked();
  expect(sent()).toBe(6);
  commerce.clock.advance(-66 * 60_000);
});

it('no code, token and password is in what was logged or kept', async () => {
  const wanted = { ...newcomer(), password: 'canary-passphrase' };
  await post('register', wanted);
  const mail = await mailTo(wanted.email);
  const kept = JSON.stringify([
    await commerce.database.query('SELECT * FROM registration'),
    await commerce.database.query('SELECT * FROM code_request'),
    await commerce.database.query('SELECT * FROM commerce_api_jobs._private_jobs'),
  ]);
  const log = commerce.lines.join('\n');
  for (const secret of [wanted.password, codeIn(mail?.text)]) {
    expect(kept).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
});
