import { Housekeeping, openCache } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { fixedClock, silentLogger, systemClock } from '@platform/runtime';
import { useDatabase, useForEach } from '@platform/testing';
import { migrations, SCHEMA } from '../../data-source';
import { JournaledMailbox } from './journaled.mailbox';
import { openMailbox } from './mailbox';
import { newConversation, newToken } from './mailbox.fixture';
import { journalOf, type Journal } from './mailbox.journal';

const database = useDatabase({ schema: SCHEMA, migrations });

/** A mailbox whose rows cannot be written while `isDown`, and that is alone until told otherwise. */
const useMailbox = () =>
  useForEach(async () => {
    const state = { isDown: false, isAlone: true, warned: [] as string[] };
    const journal = journalOf(database);
    const orDown =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (state.isDown) throw new Unavailable('the database is down');
        return work(...args);
      };
    const failing: Journal = { ...journal, add: orDown(journal.add), done: orDown(journal.done) };
    const mailbox = new JournaledMailbox({
      ...{ cache: openCache({ logger: silentLogger }), clock: systemClock, leaseMs: 60_000, journal: failing },
      isAlone: () => state.isAlone,
      logger: { ...silentLogger, warn: (message) => void state.warned.push(message) },
    });
    await database.query('DELETE FROM bot_mailbox');
    await mailbox.restoreAll();
    return { mailbox, state };
  });

const rows = (conversation: string) =>
  database.query(
    `SELECT id_message AS id, role, payload, tries, done_at IS NOT NULL AS done FROM bot_mailbox WHERE conv_key = $1 ORDER BY n`,
    [conversation],
  );

describe('a message of a process without Redis', () => {
  const opened = useMailbox();

  it('is a row from the offer on, which says how often it was tried and that it had its turn', async () => {
    const { mailbox } = opened;
    const { key, line } = newConversation();
    const { token } = await mailbox.offer(key, line('one'), newToken());
    await mailbox.offer(key, line('two'), newToken());
    const row = (id: string, role: string, more: object) => ({
      id,
      role,
      payload: line(id),
      tries: 0,
      done: false,
      ...more,
    });
    expect(await rows(key)).toEqual([row('one', 'leader', {}), row('two', 'joined', {})]);
    await mailbox.drain(key, token);
    await mailbox.attempt(key, token);
    await mailbox.offer(key, line('three'), newToken());
    expect(await mailbox.finish(key, token, true)).toBe('again');
    expect(await rows(key)).toEqual([
      row('one', 'leader', { tries: 1, done: true }),
      row('two', 'joined', { tries: 1, done: true }),
      row('three', 'joined', {}),
    ]);
  });

  it('that cannot be a row is refused and waits for nobody; its repeat is taken', async () => {
    const { mailbox, state } = opened;
    const { key, line } = newConversation();
    state.isDown = true;
    await expect(mailbox.offer(key, line('one'), newToken())).rejects.toBeInstanceOf(Unavailable);
    expect([await mailbox.pending(key), await mailbox.backlog()]).toEqual([false, { conversations: 0, oldestMs: 0 }]);
    state.isDown = false;
    const token = newToken();
    expect(await mailbox.offer(key, line('one'), token)).toEqual({ kind: 'leader', token });
  });

  it('that joined and cannot be a row is refused, and the leader goes on without it', async () => {
    const { mailbox, state } = opened;
    const { key, line } = newConversation();
    const { token } = await mailbox.offer(key, line('one'), newToken());
    state.isDown = true;
    await expect(mailbox.offer(key, line('two'), newToken())).rejects.toBeInstanceOf(Unavailable);
    state.isDown = false;
    expect(await mailbox.drain(key, token)).toEqual([line('one')]);
    expect(await mailbox.finish(key, token, true)).toBe('done');
  });

  it('that was answered while its row could not be marked is marked with the next look for work', async () => {
    const { mailbox, state } = opened;
    const { key, line } = newConversation();
    const { token } = await mailbox.offer(key, line('one'), newToken());
    await mailbox.drain(key, token);
    state.isDown = true;
    expect(await mailbox.finish(key, token, true)).toBe('done');
    expect(state.warned).toEqual(['messages that were answered could not be marked yet']);
    state.isDown = false;
    expect(await rows(key)).toMatchObject([{ done: false }]);
    await mailbox.claimDue(0);
    expect(await rows(key)).toMatchObject([{ done: true }]);
  });

  it('is taken by no process that another one has replaced', async () => {
    const { mailbox, state } = opened;
    const { key, line } = newConversation();
    const { token } = await mailbox.offer(key, line('one'), newToken());
    const other = newConversation();
    await mailbox.release(other.key, (await mailbox.offer(other.key, other.line('one'), newToken())).token, 0);
    state.isAlone = false;
    const replaced = new Unavailable('another process of bot-engine has taken over');
    await expect(mailbox.offer(key, line('two'), newToken())).rejects.toEqual(replaced);
    await expect(mailbox.drain(key, token)).rejects.toEqual(replaced);
    expect([await mailbox.renew(key, token), await mailbox.claimDue(0)]).toEqual([false, []]);
  });
});

it('rows of messages that had their turn go after a day, and no others', async () => {
  const clock = fixedClock(new Date());
  const { expired } = openMailbox({
    ...{ cache: openCache({ logger: silentLogger }), database, clock, logger: silentLogger },
    ...{ leaseMs: 60_000, shared: false, mayBeAlone: true },
  });
  const housekeeping = new Housekeeping(database, { clock, logger: silentLogger, expired });
  const { key, line } = newConversation();
  const journal = journalOf(database);
  for (const id of ['done', 'waiting'])
    await journal.add({ conversation: key, line: line(id), role: 'leader', token: newToken() });
  await journal.done(key, ['done']);
  clock.advance(23 * 3_600_000);
  await housekeeping.sweep();
  expect(await rows(key)).toHaveLength(2);
  clock.advance(2 * 3_600_000);
  await housekeeping.sweep();
  expect(await rows(key)).toMatchObject([{ id: 'waiting' }]);
});
