import { fixedClock, silentLogger, systemClock } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { OPEN_TICKET } from '../escalation/ticket.opener';
import { MediaLinks } from '../media/media.links';
import { ChatAnnouncer } from '../sockets/chat.announcer';
import { FIND_CHAT } from '../tenancy/chat.finder';
import { refusals } from '../tenancy/public';
import { systemActor } from './actor';
import { ChatTimers, type TimerOptions } from './chat.timers';
import { ChatTransitions } from './chat.transitions';
import { startLifecycle, type Lifecycle, type Ref } from './lifecycle.fixture';
import { LifecycleRepository } from './lifecycle.repository';
import { ANSWER, NOTIFY, STATE, WRITE } from './lifecycle.sql';
import { DUE, IDLE } from './timers.sql';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const NOW = new Date('2029-06-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();
const transitionsOver = (repository: LifecycleRepository) =>
  new ChatTransitions(chat.database, {
    repository,
    announcer: new ChatAnnouncer(
      { emit: () => undefined, evict: () => undefined, recheck: () => undefined },
      { add: () => undefined },
      async () => undefined,
    ),
    notifications: { notified: () => undefined },
    media: new MediaLinks({ baseUrl: 'http://media', secret: 's' }),
  });
const clock = fixedClock(NOW);
const run = (options: Partial<TimerOptions> = {}) =>
  new ChatTimers(chat.database, transitionsOver(new LifecycleRepository()), {
    autoFinishMinutes: undefined,
    pendingFinishMinutes: undefined,
    logger: silentLogger,
    clock,
    ...options,
  }).run();
const quiet = (minutes: number) => ({ last_at: minutesAgo(minutes), updated_at: minutesAgo(minutes) });
const shown = async (ref: Ref) => {
  const { status, assignee_id: assignee, pending_until: until } = await chat.row(ref);
  return [status, assignee, until === null ? 'no time' : 'waits', ...(await chat.events(ref))];
};

describe('pending_until', () => {
  it('resumes what is due, for the assignee or the team, once', async () => {
    const [due, dueOwn, later] = [
      await chat.newChat({ status: 'pending', pending_until: minutesAgo(0) }),
      await chat.newChat({ status: 'pending', pending_until: minutesAgo(500), assignee_id: 'u-rina' }),
      await chat.newChat({ status: 'pending', pending_until: minutesAgo(-1) }),
    ] as const;
    await run();
    await run();
    expect([await shown(due), await shown(dueOwn), await shown(later)]).toEqual([
      [0, null, 'no time', 'resume'],
      [1, 'u-rina', 'no time', 'resume'],
      [2, null, 'waits'],
    ]);
    clock.advance(60_000);
    await run();
    clock.advance(-60_000);
    expect(await shown(later)).toEqual([0, null, 'no time', 'resume']);
  });
});

describe('more chats that cannot be changed than are looked at together', () => {
  const CLONES = `
    INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, status, pending_until, last_at, updated_at)
    SELECT store_id, uuidv7(), instance, 'stuck' || n, team_id, customer_id, 1, $1, $2, $3, $3 FROM conversations c, generate_series(1, 200) n
    WHERE c.nohp = (SELECT min(nohp) FROM conversations WHERE nohp LIKE '628%') RETURNING id`;
  const failures = {
    busy: () => refusals.chatBusy(),
    'refused by the database': () => Object.assign(new Error('refused'), { code: '23514' }),
  };
  const cases = Object.entries(failures).flatMap(([why, failure]) =>
    (['due', 'idle'] as const).map((kind) => ({ why, failure, kind })),
  );

  it.each(cases)('because they are $why keep none waiting that is $kind', async ({ failure, kind }) => {
    const [status, until] = kind === 'due' ? [2, minutesAgo(600)] : [0, null];
    const ref = await chat.newChat(kind === 'due' ? { status: 'pending', pending_until: minutesAgo(1) } : quiet(9_999));
    const stuck = await chat.database.query<{ id: string }>(CLONES, [status, until, minutesAgo(99_999)]);
    const held = new Set(stuck.map(({ id }) => id));
    const transitions = transitionsOver(new LifecycleRepository());
    const apply: ChatTransitions['apply'] = async (wish) => {
      if (held.has(wish.chat.conversationId)) throw failure();
      return transitions.apply(wish);
    };
    const limits = { autoFinishMinutes: kind === 'idle' ? 9_000 : undefined, pendingFinishMinutes: undefined };
    const run = new ChatTimers(chat.database, { apply }, { ...limits, logger: silentLogger, clock }).run();
    await run.catch(() => undefined);
    await chat.database.query(`DELETE FROM conversations WHERE nohp LIKE 'stuck%'`);
    expect((await chat.row(ref)).status).toBe(kind === 'due' ? 0 : 3);
  });
});

describe('the timer job', () => {
  it('runs every minute, in the service itself', async () => {
    const ref = await chat.newChat({ status: 'pending', pending_until: '2020-01-01T00:00:00Z' });
    expect(
      await chat.database.query('SELECT identifier FROM chat_backend_jobs._private_known_crontabs'),
    ).toContainEqual({
      identifier: 'timers * * * * *',
    });
    await chat.database.query(`SELECT chat_backend_jobs.add_job('timers')`);
    await until(async () => (await chat.row(ref)).status === 0);
    expect(await shown(ref)).toEqual([0, null, 'no time', 'resume']);
  });

  it('changes nothing by a clock that is ahead of the database', async () => {
    const inFiveMinutes = new Date(Date.now() + 300_000).toISOString();
    const ref = await chat.newChat({ status: 'pending', pending_until: inFiveMinutes });
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + 600_000));
    await chat.database.query(`SELECT chat_backend_jobs.add_job('timers')`);
    const jobs = () => chat.database.query('SELECT 1 FROM chat_backend_jobs.jobs');
    await until(jobs, (rows) => rows.length === 0);
    jest.restoreAllMocks();
    expect(await shown(ref)).toEqual([2, null, 'waits']);
  });
});

describe('idle chats', () => {
  it('stay for ever unless told otherwise', async () => {
    const ref = await chat.newChat(quiet(100_000));
    await run();
    expect(await shown(ref)).toEqual([0, null, 'no time']);
  });

  it('end by either of two independent limits', async () => {
    const [open, handled, busy, pending, waiting] = [
      await chat.newChat(quiet(61)),
      await chat.newChat({ ...quiet(61), status: 'handle', assignee_id: 'u-rina' }),
      await chat.newChat({ ...quiet(61), updated_at: minutesAgo(59) }),
      await chat.newChat({ ...quiet(61), status: 'pending' }),
      await chat.newChat({ ...quiet(9999), status: 'pending', pending_until: minutesAgo(-5) }),
    ] as const;
    await run({ autoFinishMinutes: 60 });
    expect([
      await shown(open),
      await shown(handled),
      await shown(busy),
      await shown(pending),
      await shown(waiting),
    ]).toEqual([
      [3, null, 'no time', 'auto_finish'],
      [3, 'u-rina', 'no time', 'auto_finish'],
      [0, null, 'no time'],
      [2, null, 'no time'],
      [2, null, 'waits'],
    ]);
    await run({ pendingFinishMinutes: 60 });
    expect([await shown(pending), await shown(waiting), await shown(busy)]).toEqual([
      [3, null, 'no time', 'auto_finish'],
      [2, null, 'waits'],
      [0, null, 'no time'],
    ]);
  });

  it('are finished in batches until none is left', async () => {
    await chat.database.query(
      `INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, updated_at)
       SELECT store_id, uuidv7(), instance, nohp || n, team_id, customer_id, 1, $1, $1 FROM conversations c, generate_series(1, 450) n
       WHERE c.nohp = (SELECT min(nohp) FROM conversations)`,
      [minutesAgo(500)],
    );
    await run({ autoFinishMinutes: 400 });
    expect(
      await chat.database.query(
        'SELECT count(*)::int AS left FROM conversations WHERE status < 2 AND updated_at < $1',
        [minutesAgo(400)],
      ),
    ).toEqual([{ left: 0 }]);
  });

  it('are left alone when something happens in between', async () => {
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    const ref = await chat.newChat({ last_at: anHourAgo, updated_at: anHourAgo });
    class Meanwhile extends LifecycleRepository {
      override async state(...args: Parameters<LifecycleRepository['state']>) {
        const seen = await super.state(...args);
        await chat.inbound({ number: `${ref.nohp}@s.whatsapp.net` });
        return seen;
      }
    }
    const [storeId, conversationId] = ref.chatId.split('.') as [string, string];
    const wish = { chat: { storeId, conversationId }, actor: systemActor, quietSince: anHourAgo };
    const { changed } = await transitionsOver(new Meanwhile()).apply({ ...wish, action: { kind: 'autoFinish' } });
    expect([changed, await shown(ref)]).toEqual([false, [0, null, 'no time']]);
  });
});

describe('a decision about a chat that keeps changing', () => {
  const busy = (times: number) => {
    let seen = 0;
    class Contended extends LifecycleRepository {
      override async state(...args: Parameters<LifecycleRepository['state']>) {
        const row = await super.state(...args);
        // Another connection changes what was just read
        if (seen++ < times)
          await chat.database.query('UPDATE conversations SET gudang_id = $3 WHERE store_id = $1 AND id = $2', [
            args[1].storeId,
            args[1].conversationId,
            `G${seen}`,
          ]);
        return row;
      }
    }
    return { transitions: transitionsOver(new Contended()), seen: () => seen };
  };

  it.each([
    [4, 5, 'made at the fifth look'],
    [9, 5, 'given up after the fifth: chat_busy'],
  ])('that changes %i times, seen %i times: %s', async (times, looks, outcome) => {
    const ref = await chat.newChat();
    const [storeId, conversationId] = ref.chatId.split('.') as [string, string];
    const { transitions, seen } = busy(times);
    const wish = { chat: { storeId, conversationId }, action: { kind: 'finish' }, actor: systemActor } as const;
    const done = await transitions.apply(wish).then(
      () => 'made',
      (failure: { code?: string }) => failure.code,
    );
    expect([done, seen(), await chat.events(ref)]).toEqual(
      outcome.startsWith('made') ? ['made', looks, ['finish']] : ['chat_busy', looks, []],
    );
  });
});

describe('statements of the lifecycle', () => {
  const ID = '0192f3a0-0000-7000-8000-000000000000';
  it.each<[string, string, unknown[]]>([
    ['state', STATE, ['S1', ID]],
    ['write', WRITE, ['S1', ID, '{}', '{}', false, '[]', null, null]],
    ['ticket', OPEN_TICKET, ['S1', ID, ID, 'alasan', null, 'user', null]],
    ['notify', NOTIFY, ['S1', ID, '[]', null]],
    ['answer', ANSWER, ['S1', ID, [ID]]],
    ['find', FIND_CHAT, ['S1', 'dev1', '628', null, ['3', '@u-rina'], true]],
  ])('%s read no table from end to end', async (_, text, values) =>
    expectNoSeqScan(
      await explain(chat.database, text, values),
      'conversations',
      'chat_histories',
      'escalations',
      'customers',
    ),
  );

  it('of timers walk indexes of conversations', async () => {
    expectNoSeqScan(await explain(chat.database, DUE, [NOW, 10, []]), 'conversations');
    expectNoSeqScan(await explain(chat.database, IDLE, [NOW, 10, [0, 1], []]), 'conversations');
  });
});
