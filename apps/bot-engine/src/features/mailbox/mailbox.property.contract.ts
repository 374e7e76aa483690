import { setTimeout as delay } from 'node:timers/promises';
import { random, until } from '@platform/testing';
import { ManyTurns, type Run } from './many.turns.fixture';
import { newConversation, type MailboxStorage } from './mailbox.fixture';
import type { MailboxLine } from './mailbox.types';

const CONVERSATIONS = 300;
const MOST_MESSAGES = 6;
const REPEATED = 0.25;
const LEASE_MS = 400;

interface Said {
  readonly conversation: string;
  readonly line: MailboxLine;
}

const script = (seed: number): Said[] => {
  const { below } = random(seed);
  return Array.from({ length: CONVERSATIONS }, newConversation).flatMap(({ key, line }) =>
    Array.from({ length: 1 + below(MOST_MESSAGES) }, (_, n) => ({ conversation: key, line: line(`m${n}`) })),
  );
};

const overlapping = (runs: readonly Run[]): Run[] => {
  const last = new Map<string, number>();
  return runs
    .toSorted((one, other) => one.from - other.from)
    .filter(({ conversation, from, to }) => {
      const before = last.get(conversation) ?? 0;
      last.set(conversation, Math.max(before, to));
      return from < before;
    });
};

/** Design 3.1, M13. */
export const mailboxProperty = (storage: MailboxStorage): void =>
  it('M13: whatever becomes of leaders, every message is in one committed run, runs of a conversation do not overlap, each is delivered, and nothing is left', async () => {
    const seed = 20_261_123;
    const { below, chance } = random(seed);
    const opened = [];
    for (let n = 0; n < storage.processes; n += 1) opened.push(await storage.open({ leaseMs: LEASE_MS }));
    const mailboxes = opened.map(({ mailbox }) => mailbox);
    const turns = new ManyTurns({ mailboxes, seed });
    const said = script(seed);
    const asked = said.flatMap((each) => (chance(REPEATED) ? [each, each] : [each]));
    let isOver = false;
    const sweeping = (async () => {
      while (!isOver) {
        await turns.sweep();
        await delay(20);
      }
    })();
    await Promise.all(
      asked.map(async ({ conversation, line }) => {
        await delay(below(400));
        await turns.ask(conversation, line);
      }),
    );
    const missing = () => said.filter(({ conversation, line }) => !turns.answered(conversation, line.idMessage));
    const waiting = () => Promise.all(said.map(({ conversation }) => mailboxes[0]?.pending(conversation)));
    await until(async () => missing().length === 0 && !(await waiting()).includes(true));
    isOver = true;
    await sweeping;

    const ids = turns.runs.flatMap(({ conversation, ids: own }) => own.map((id) => `${conversation} ${id}`));
    expect(ids.sort()).toEqual(said.map(({ conversation, line }) => `${conversation} ${line.idMessage}`).sort());
    expect(overlapping(turns.runs)).toEqual([]);
    expect(turns.runs.filter(({ id }) => !turns.delivered.has(id))).toEqual([]);
    expect(Object.values(turns.hits).every((hits) => hits > 0)).toBe(true);
    const left = (await storage.keys()).filter(({ key }) => /:(mb|inf|lease|try)$|due$/.test(key));
    expect(left).toEqual([]);
    for (const each of opened) await each.stop();
  });
