import { environment } from '@platform/runtime';
import { until } from '@platform/testing';
import { expectDocumented } from './features/sockets/sockets.fixture';
import { PASSWORD, startTwoProcesses, type Listener, type TwoProcesses, type User } from './two-processes.fixture';

const PROCESSES = [0, 1] as const;
const UNAUTHENTICATED = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
const refused = (message: string, code: string) => ({ status: 200, body: { result: false, message, code } });
const CHAT_NOT_FOUND = refused('chat tidak ditemukan', 'chat_not_found');
const FORBIDDEN_TEAM = refused('tidak punya akses ke team ini', 'forbidden_team');
const DEVICE_NOT_FOUND = refused('device tidak ditemukan', 'device_not_found');

interface Ref {
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly chatId: string;
}
/** Somebody who sees a chat at both processes. */
interface Subject {
  readonly user: User;
  readonly tokens: readonly [string, string];
  readonly listeners: readonly Listener[];
  readonly ref: Ref;
}
interface Situation {
  readonly role?: string;
  readonly teams?: readonly string[];
  readonly team?: string;
  /** Signs in once for each process. */
  readonly twoLogins?: true;
  /** Signed by the test, not by store-auth. */
  readonly ownToken?: true;
  /** Resolves to the token with which the client asks from then on, where that is another. */
  lose(two: TwoProcesses, subject: Subject): Promise<string | void>;
  /** What HTTP answers who reads the chat then. */
  readonly answer: object;
  readonly socket: 'open' | 'closed' | 'closed after authExpired';
}

/** A socket must have taken a token before it ends; a machine with other work takes its time for that. */
const TAKEN_IN_S = 6;

const boss = (two: TwoProcesses): string => two.tokens.tokenFor({ sub: 'u-boss', role: 'supervisor', teams: [] });
const claimsOf = ({ id }: User) => ({ sub: id, sid: `sid of ${id}`, teams: ['3', '4'] });
const member = (two: TwoProcesses, { id }: User, role: string, teams: readonly string[], store = 'S1') =>
  two.auth.internal('PUT', `memberships/${store}/${id}`, {
    ...{ role, teams, status: 'active', updated_at: new Date().toISOString() },
  });
const refresh = async ({ listeners }: Subject, token: string): Promise<unknown[]> =>
  Promise.all(listeners.map(({ socket }) => socket.emitWithAck('authRefresh', { token })));

const situations: Readonly<Record<string, Situation>> = {
  'its chat was moved to another team': {
    lose: async (two, { ref }) => {
      const answer = await two.call(0, '/v1/chat_move', { token: boss(two), body: { ...ref, to_team: '4' } });
      expect(answer.body).toMatchObject({ result: true });
    },
    answer: CHAT_NOT_FOUND,
    socket: 'open',
  },
  'the open team of its chat was closed to others': {
    ...{ teams: ['4'], team: 'OPEN' },
    lose: (two) =>
      two.push({ teams: [{ store_id: 'S1', id: 'OPEN', nama: 'Open', private: true, updated_at: Date.now() }] }),
    answer: FORBIDDEN_TEAM,
    socket: 'open',
  },
  'its user got other teams': {
    lose: async (two, { user }) => void (await member(two, user, 'agent', ['4'])),
    answer: FORBIDDEN_TEAM,
    socket: 'open',
  },
  'its user is no supervisor any more': {
    role: 'supervisor',
    lose: async (two, { user }) => void (await member(two, user, 'agent', ['4'])),
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'its user was removed from the store': {
    lose: async (two, { user }) => void (await two.auth.internal('DELETE', `memberships/S1/${user.id}`, {})),
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'its user was disabled': {
    lose: async (two, { user }) => void (await two.auth.internal('PUT', `users/${user.id}`, { status: 'disabled' })),
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'the password was reset': {
    lose: async (two, { user }) => {
      const purpose = 'reset_password';
      const { body } = await two.auth.internal('POST', 'verification-codes', { user_id: user.id, purpose });
      const { code_id, code } = (body as { data: { code_id: string; code: string } }).data;
      await two.auth.internal('POST', 'verification-codes/consume', {
        ...{ code_id, code, purpose, password: `${PASSWORD} 2` },
      });
    },
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'its login ended': {
    lose: async (two, { tokens }) => void (await two.auth.as(tokens[0], 'logout')),
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'all logins of its user ended': {
    twoLogins: true,
    lose: async (two, { tokens }) => void (await two.auth.as(tokens[0], 'logout-all')),
    answer: UNAUTHENTICATED,
    socket: 'closed',
  },
  'its user went on in another store': {
    lose: async (two, subject) => {
      const { user, tokens, listeners, ref } = subject;
      await member(two, user, 'owner', [], 'S2');
      const grant = { grant: 'session', token: tokens[0], store_id: 'S2' };
      const { body } = await two.auth.internal('POST', 'tokens', grant);
      const token = (body as { data: { access_token: string } }).data.access_token;
      // A socket stays in its store: the client opens another
      const refusal = { result: false, message: 'Unauthenticated' };
      expect(await refresh(subject, token)).toEqual([refusal, refusal]);
      for (const { socket } of listeners) {
        Object.assign(socket.disconnect(), { auth: { token } }).connect();
        await new Promise<void>((resolve) => socket.once('connect', resolve));
        expect(await socket.emitWithAck('chatJoin', ref)).toEqual(CHAT_NOT_FOUND.body);
      }
      return token;
    },
    answer: DEVICE_NOT_FOUND,
    socket: 'open',
  },
  'authRefresh brought a token of other teams': {
    ownToken: true,
    lose: async (two, subject) => {
      const token = two.tokens.tokenFor({ ...claimsOf(subject.user), teams: ['4'] });
      expect(await refresh(subject, token)).toMatchObject([{ result: true }, { result: true }]);
      return token;
    },
    answer: FORBIDDEN_TEAM,
    socket: 'open',
  },
  'its token ended': {
    ownToken: true,
    lose: async (two, subject) => {
      const token = two.tokens.tokenFor({ ...claimsOf(subject.user), ttlSeconds: TAKEN_IN_S });
      expect(await refresh(subject, token)).toMatchObject([{ result: true }, { result: true }]);
      await until(() => subject.listeners.every(({ socket }) => !socket.connected));
      // HTTP allows for clocks that differ by 30 s, a socket does not
      const [iat, exp] = [Math.floor(Date.now() / 1000) - 600, Math.floor(Date.now() / 1000) - 31];
      return two.tokens.tokenFor({ ...claimsOf(subject.user), iat, nbf: iat, exp });
    },
    answer: UNAUTHENTICATED,
    socket: 'closed after authExpired',
  },
};

const settings: [string, Record<string, string>][] = [['without Redis', {}]];
if (environment.REDIS_URL) settings.push(['with Redis', { REDIS_URL: environment.REDIS_URL }]);
else process.stderr.write('REDIS_URL is not set: lost rights were tested without Redis only.\n');

describe.each(settings)('two processes %s', (_, redis) => {
  const crossing = 'REDIS_URL' in redis;
  let two: TwoProcesses;
  let witnesses: readonly Listener[];
  const subjects = new Map<string, Subject>();
  const answers = new Map<string, unknown[]>();
  const marks = new Map<Listener, number>();

  const isOf =
    ({ chatId, nohp }: Ref) =>
    ({ payload }: Listener['heard'][number]): boolean =>
      [chatId, nohp].some((name) => JSON.stringify(payload).includes(name));
  const listRowsOf = (ref: Ref, { heard }: Listener) =>
    heard
      .filter(isOf(ref))
      .flatMap(({ name, payload }) => (name === 'updateChatlist' ? [Number(payload.version)] : []));
  /** Whether a message brought to this process, or to any with Redis, has arrived, its list row too. */
  const hasHeard = (ref: Ref, listener: Listener, text: string, withRow: boolean): boolean => {
    const told = listener.heard.find(
      ({ name, payload }) => name === 'newMessage' && (payload.inbox as { pesan: string }).pesan === text,
    );
    const version = (told?.payload.chat_list as { version: number } | undefined)?.version ?? Infinity;
    return told !== undefined && (!withRow || Math.max(...listRowsOf(ref, listener)) >= version);
  };
  const say = async (ref: Ref, text: string, listeners: readonly Listener[], withRow: boolean) => {
    for (const process of PROCESSES) await two.inbound(process, ref.nohp, `${text} ${process}`);
    const expected = listeners.flatMap((listener, at) =>
      PROCESSES.filter((process) => crossing || process === at).map((process) => ({ listener, process })),
    );
    await until(() => expected.every((one) => hasHeard(ref, one.listener, `${text} ${one.process}`, withRow)));
  };
  const newChat = async (number: number, team: string): Promise<Ref> => {
    const nohp = `62877${String(number).padStart(7, '0')}`;
    await two.inbound(0, nohp, 'halo');
    const [row] = await two.query<{ id: string }>(
      `UPDATE conversations SET team_id = $2 WHERE nohp = $1 RETURNING store_id || '.' || id AS id`,
      [nohp, team],
    );
    return { nohp, instance: 'dev1', team, chatId: row?.id ?? '' };
  };
  const tokensOf = async (user: User, { twoLogins, ownToken }: Situation): Promise<readonly [string, string]> => {
    const first = ownToken ? two.tokens.tokenFor(claimsOf(user)) : await two.auth.login(user);
    return [first, twoLogins ? await two.auth.login(user) : first];
  };
  const prepare = async (situation: Situation, number: number): Promise<Subject> => {
    const { role = 'agent', teams = ['3'], team = '3' } = situation;
    const user = await two.auth.user(role, teams);
    const tokens = await tokensOf(user, situation);
    const listeners = await Promise.all(PROCESSES.map((process) => two.listen(process, tokens[process])));
    const ref = await newChat(number, team);
    for (const { socket } of [...listeners, ...witnesses])
      expect(await socket.emitWithAck('chatJoin', { chatId: ref.chatId })).toEqual({ result: true });
    await say(ref, 'sebelum', listeners, false);
    return { user, tokens, listeners, ref };
  };
  /** The feed of store-auth has an order: who knows the last of its changes knows those before. */
  const untilKnown = async (): Promise<void> => {
    const last = await two.auth.user('agent', ['3']);
    const token = await two.auth.login(last);
    await member(two, last, 'agent', ['4']);
    const body = { nohp: '-', instance: 'dev1', team: '3' };
    for (const process of PROCESSES)
      await until(
        async () => (await two.call(process, '/v1/chat_list', { token, body })).body,
        (answer) => JSON.stringify(answer) === JSON.stringify(FORBIDDEN_TEAM.body),
      );
  };
  /**
   * Who connected last hears of a team that the other process was told of: without Redis since all clients of its process were
   * admitted anew, one after the other. Twice, because the first time may have begun before.
   */
  const untilAdmittedAnew = async (): Promise<void> => {
    const last = await two.listen(1, boss(two));
    for (const id of ['LATER', 'LATEST']) {
      await two.push({ teams: [{ store_id: 'S1', id, nama: id, updated_at: Date.now() }] });
      const ref = await newChat(id.length * 1000, id);
      await until(async () => {
        await two.inbound(1, ref.nohp, 'halo');
        return listRowsOf(ref, last).length > 0;
      });
    }
  };
  /** Everything that HTTP refuses by now is told to those who may hear it; then what came to the others by the same ways is here. */
  const tell = async (name: string, { listeners, ref }: Subject): Promise<void> => {
    for (const listener of listeners) marks.set(listener, listener.heard.length);
    await say(ref, `RAHASIA ${name}`, witnesses, true);
    const changed = await two.call(1, '/v1/chat_pending', { token: boss(two), body: ref });
    expect(changed.body).toMatchObject({ result: true });
    await until(() => witnesses[1]?.heard.filter(isOf(ref)).some((event) => event.name === 'historyChat'));
    for (const { socket } of listeners)
      if (situations[name]?.socket === 'open') await socket.emitWithAck('chatLeave', { chatId: ref.chatId });
      else await until(() => !socket.connected);
  };

  beforeAll(async () => {
    two = await startTwoProcesses(redis);
    await two.query(`INSERT INTO teams (store_id, id, nama, private) VALUES ('S1', 'OPEN', 'Open', false)`);
    witnesses = await Promise.all(PROCESSES.map((process) => two.listen(process, boss(two))));
    for (const [number, [name, situation]] of Object.entries(situations).entries())
      subjects.set(name, await prepare(situation, number));
    const lose = async ([name, subject]: [string, Subject]): Promise<void> => {
      const token = await situations[name]?.lose(two, subject);
      answers.set(name, [token ?? subject.tokens[0], token ?? subject.tokens[1]]);
    };
    const [last, ...others] = [...subjects].reverse() as [[string, Subject], ...[string, Subject][]];
    const ending = lose(last); // takes its token's whole life
    ending.catch(() => undefined);
    for (const each of others.reverse()) await lose(each);
    await untilKnown();
    await untilAdmittedAnew();
    await ending;
    for (const [name, { ref }] of subjects) {
      const [first, second] = (answers.get(name) ?? []) as string[];
      const ask = async (process: number, token = '') => {
        const { status, body } = await two.call(process, '/v1/chat_inbox', { token, body: ref });
        return { status, body };
      };
      answers.set(name, [await ask(0, first), await ask(1, second)]);
    }
    for (const [name, subject] of subjects) await tell(name, subject);
  });
  afterAll(async () => {
    await two.stop();
    expectDocumented();
  });

  it.each(Object.keys(situations))('tell a socket nothing that HTTP refuses, once %s', (name) => {
    const { listeners, ref } = subjects.get(name) as Subject;
    const { answer, socket } = situations[name] as Situation;
    const seen = listeners.map((listener) => ({
      connected: listener.socket.connected,
      expired: listener.heard.some((event) => event.name === 'authExpired'),
      told: listener.heard
        .slice(marks.get(listener))
        .filter(isOf(ref))
        // That a chat is not theirs any more is what they have to be told
        .filter(({ payload }) => payload.op !== 'remove'),
    }));
    const one = { connected: socket === 'open', expired: socket === 'closed after authExpired', told: [] };
    expect({ answers: answers.get(name), seen }).toEqual({ answers: [answer, answer], seen: [one, one] });
  });
});
