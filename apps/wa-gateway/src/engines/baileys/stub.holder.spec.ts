import { silentLogger } from '@platform/runtime';
import { until, useDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import type { NeutralMessage } from '../engine.types';
import { StubHolder } from './stub.holder';
import { StubStore } from './stub.store';

const database = useDatabase({ schema, migrations });
const BUDI = '628123456789@s.whatsapp.net';
const stub = (id: string): NeutralMessage => ({
  ...{ id: `${id}.stub`, chat: BUDI, fromMe: false, name: 'Bu\0di', at: 17, kind: 'chat', text: '' },
  raw: { stub: 'Bad MAC' },
});
beforeEach(() => database.query('DELETE FROM held_stub').then(() => undefined));

const holderOf = ({ holdMs = 1, known = false, store = new StubStore('dev1', database) } = {}) => {
  const told: NeutralMessage[] = [];
  const retrying = { limitMs: 0, pauseMs: 1, givingUp: () => undefined };
  const holder = new StubHolder({
    ...{ store, holdMs, retrying, logger: silentLogger, known: async () => known },
    tell: async (message) => void told.push(message),
  });
  return { holder, told };
};
const rows = () => database.query<{ id: string }>('SELECT id FROM held_stub ORDER BY id');

it('is told when its message does not come in time, and forgotten then', async () => {
  const { holder, told } = holderOf();
  await holder.hold('M1', stub('M1'));
  await until(rows, ({ length }) => length === 0);
  expect(told).toEqual([stub('M1')]);
});

it('is not told when its message comes', async () => {
  const { holder, told } = holderOf({ holdMs: 60_000 });
  await holder.hold('M2', stub('M2'));
  holder.arrived('M2');
  await until(rows, ({ length }) => length === 0);
  expect(told).toEqual([]);
});

it('is told by the next process when this one ends', async () => {
  const before = holderOf({ holdMs: 20 });
  await before.holder.hold('M3', stub('M3'));
  before.holder.clear();
  const next = holderOf();
  await next.holder.resume();
  await until(rows, ({ length }) => length === 0);
  expect([before.told, next.told]).toEqual([[], [{ ...stub('M3'), name: 'Budi' }]]);
});

it('is not told when the message came to another process meanwhile', async () => {
  const before = holderOf({ holdMs: 1 });
  await new StubStore('dev1', database).save({ id: 'M4', message: stub('M4'), afterMs: 0 });
  const next = holderOf({ known: true });
  await next.holder.resume();
  await until(rows, ({ length }) => length === 0);
  expect([before.told, next.told]).toEqual([[], []]);
});

it('is held in memory while the store is away', async () => {
  const away = async (): Promise<never> => Promise.reject(new Error('away'));
  const store = { save: away, all: away, remove: away } as unknown as StubStore;
  const { holder, told } = holderOf({ store });
  await holder.hold('M5', stub('M5'));
  await until(
    () => told.length,
    (count) => count === 1,
  );
});

it.each(['in time', 'never'])(
  'is removed after it was stored when its message comes %s, however long storing takes',
  async (comes) => {
    const done: string[] = [];
    let finish = (): void => undefined;
    const save = () => new Promise<void>((resolve) => (finish = resolve)).then(() => void done.push('saved'));
    const store = { save, remove: async () => void done.push('removed') } as unknown as StubStore;
    const { holder, told } = holderOf({ store });
    const held = holder.hold('M6', stub('M6'));
    if (comes === 'in time') holder.arrived('M6');
    await new Promise((resolve) => setTimeout(resolve, 5));
    finish();
    await held;
    await until(
      () => done.length,
      (count) => count === 2,
    );
    expect([done, told]).toEqual([['saved', 'removed'], comes === 'never' ? [stub('M6')] : []]);
  },
);
