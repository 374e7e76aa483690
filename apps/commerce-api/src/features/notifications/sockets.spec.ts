import { sidHashOf } from '@platform/auth';
import { environment, uuidv7 } from '@platform/runtime';
import { until, useRunning, type RunningProgram } from '@platform/testing';
import { ownStore } from '../../asked.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { newApiToken, newMember, startCommerce, useCommerce } from '../../commerce.fixture';
import { startSecondProcess } from '../../second-process.fixture';
import { notify } from '../../notify';
import { closeSockets, listen, noticeOf, tell } from './notifications.fixture';

const HOUR_S = 3600;

/** Another installation on the same Redis would be another one's business: stores here have ids of their own. */
const overTwo = (REDIS_URL: string): void => {
  const commerce = useRunning(() => startCommerce({ REDIS_URL }, new Date().toISOString()));
  let second: RunningProgram;
  beforeAll(async () => {
    second = await startSecondProcess(commerce, { REDIS_URL, RATE_PER_MINUTE: '1000000' });
  });
  afterAll(async () => {
    closeSockets();
    await second.stop();
  });

  /** One socket at each of the two; what both have heard of notices, by the process. */
  const atBoth = async (token: string) => {
    const sockets = [await listen(commerce.url, token), await listen(second.url, token)];
    return {
      sockets,
      heard: () => sockets.map(({ heard }) => heard.map(([name, payload]) => [name, (payload as { id: string }).id])),
    };
  };
  const idOf = async (storeId: string, userId: string, notice: string): Promise<string> => {
    const statement = 'SELECT id FROM notification WHERE store_id = $1 AND user_id = $2 AND notice_id = $3';
    const rows = await until(
      () => commerce.database.query<{ id: string }>(statement, [storeId, userId, notice]),
      ({ length }) => length > 0,
    );
    return rows[0]?.id ?? '';
  };
  const notices = (...ids: string[]) => [ids, ids].map((each) => each.map((id) => ['notification', id]));
  const ownerToken = (storeId: string) => commerce.storeAuth.userToken({ sub: OWNER_ID, store_id: storeId });

  describe('over two processes and Redis', () => {
    it('a member hears each notice once in every place, whichever process tells it, and another store hears nothing', async () => {
      const [store, other] = [await ownStore(commerce), await ownStore(commerce)];
      const own = await atBoth(ownerToken(store.storeId));
      const elsewhere = await atBoth(ownerToken(other.storeId));
      const names = Array.from({ length: 20 }, (_, n) => `n${n}`);
      await commerce.database
        .tx(async (tx) => {
          await notify(tx, noticeOf(store.storeId, 'lost'));
          throw new Error('rolled back');
        })
        .catch(() => undefined);
      await Promise.all(names.map((name) => tell(commerce, noticeOf(store.storeId, name))));
      const ids = await Promise.all(names.map((name) => idOf(store.storeId, OWNER_ID, name)));
      await until(() => own.heard().every(({ length }) => length === ids.length));
      // What comes last comes after all that came before
      await tell(commerce, noticeOf(other.storeId, 'theirs'));
      const theirs = await idOf(other.storeId, OWNER_ID, 'theirs');
      await until(() => elsewhere.heard().every(({ length }) => length > 0));
      expect(elsewhere.heard()).toEqual(notices(theirs));
      expect(own.heard().map((each) => each.map(([, id]) => id).toSorted())).toEqual([ids.toSorted(), ids.toSorted()]);
    });

    it('a member who is taken out hears nothing that is told after that, and loses the sockets at both', async () => {
      const { storeId, ask } = await ownStore(commerce);
      const member = await newMember(commerce, storeId, 'finance');
      const [own, gone] = [await atBoth(ownerToken(storeId)), await atBoth(member.token)];
      await tell(commerce, noticeOf(storeId, 'before'));
      const before = await idOf(storeId, member.userId, 'before');
      await until(() => gone.heard().every(({ length }) => length === 1));
      expect((await ask('DELETE', `/team/${member.userId}`)).status).toBe(200);
      await tell(commerce, noticeOf(storeId, 'after'));
      const seen = [await idOf(storeId, OWNER_ID, 'before'), await idOf(storeId, OWNER_ID, 'after')];
      await until(() => own.heard().every(({ length }) => length === 2));
      expect(own.heard()).toEqual(notices(...seen));
      // As store-auth tells everybody once it has heard
      const changed = {
        type: 'membership',
        store_id: storeId,
        user_id: member.userId,
        role: 'agent',
        teams: [],
      } as const;
      commerce.storeAuth.events.push({ ...changed, at: commerce.clock.now().getTime() });
      await until(() => gone.sockets.every(({ socket }) => !socket.connected));
      expect(gone.heard()).toEqual(notices(before));
    });

    it('who has logged out loses the sockets of that login at both, and another login of theirs hears on', async () => {
      const { storeId } = await ownStore(commerce);
      const [sid, sub] = [uuidv7(), OWNER_ID];
      const ended = await atBoth(commerce.storeAuth.userToken({ sub, store_id: storeId, sid }));
      const own = await atBoth(ownerToken(storeId));
      const exp = Math.ceil(commerce.clock.now().getTime() / 1000) + HOUR_S;
      commerce.storeAuth.events.push({ type: 'revoke', sid_hash: sidHashOf(sid), exp });
      await until(() => ended.sockets.every(({ socket }) => !socket.connected));
      await tell(commerce, noticeOf(storeId, 'after'));
      const after = await idOf(storeId, OWNER_ID, 'after');
      await until(() => own.heard().every(({ length }) => length === 1));
      expect([own.heard(), ended.heard()]).toEqual([notices(after), [[], []]]);
    });
  });
};

const alone = (): void => {
  const commerce = useCommerce();
  afterAll(closeSockets);
  const ownerToken = (storeId: string) => commerce.storeAuth.userToken({ sub: OWNER_ID, store_id: storeId });

  describe('sockets', () => {
    it('are for active members only', async () => {
      const store = await ownStore(commerce);
      const member = await newMember(commerce, store.storeId, 'cs');
      await listen(commerce.url, member.token);
      await commerce.database.query(`UPDATE membership SET status = 'disabled' WHERE store_id = $1 AND user_id = $2`, [
        store.storeId,
        member.userId,
      ]);
      const { token: api } = await newApiToken(commerce, store.storeId, {});
      for (const token of [member.token, api, 'nonsense', commerce.storeAuth.serviceToken('bot-engine', store.storeId)])
        await expect(listen(commerce.url, token)).rejects.toThrow();
    });

    it('of a member whose membership ends are closed', async () => {
      const store = await ownStore(commerce);
      const member = await newMember(commerce, store.storeId, 'cs');
      const { socket } = await listen(commerce.url, member.token);
      await commerce.database.query('DELETE FROM membership WHERE store_id = $1 AND user_id = $2', [
        store.storeId,
        member.userId,
      ]);
      await until(() => !socket.connected);
    });

    it('hear how an import goes, to its end', async () => {
      const store = await ownStore(commerce);
      const { heard } = await listen(commerce.url, ownerToken(store.storeId));
      const form = new FormData();
      form.append('file', new Blob(['name,phone\nAni,081299887766\nBudi,081299887767\n']), 'a.csv');
      const { id } = (await store.ask<{ id: string }>('POST', '/contact/import', form)).body.data;
      await store.ask('POST', '/contact/import', { job_id: id, commit: true });
      await until(() => heard.some(([, payload]) => (payload as { state: string }).state === 'done'));
      expect(heard.findLast(([name]) => name === 'jobProgress')).toEqual([
        'jobProgress',
        { job_id: id, done: 2, total: 2, state: 'done' },
      ]);
    });
  });
};

alone();
if (environment.REDIS_URL) overTwo(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: notices over two processes were not tested.\n');
