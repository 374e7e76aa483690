import { setTimeout as delay } from 'node:timers/promises';
import { uuidv7 } from '@platform/runtime';
import { random, type Random } from '@platform/testing';
import type { Claimed, Mailbox, MailboxLine } from './mailbox.types';

/** Shares of what may happen to a leader (design 3.1, M13). */
const FATES = { diesBefore: 0.05, diesAfter: 0.05, fails: 0.05, stalls: 0.03 } as const;
type Fate = keyof typeof FATES | 'lives';

export interface Run {
  readonly id: string;
  readonly conversation: string;
  readonly ids: readonly string[];
  /** Order of events, not times. */
  readonly from: number;
  readonly to: number;
}

class Died extends Error {}
class Failed extends Error {}

export interface ManyTurnsOptions {
  /** One for each process. */
  readonly mailboxes: readonly Mailbox[];
  readonly seed: number;
}

/** Leaders as turns have them, with a table whose unique index is the last word; some of them die, fail or stall. */
export class ManyTurns {
  readonly runs: Run[] = [];
  readonly delivered = new Set<string>();
  readonly hits: Record<Fate, number> = { lives: 0, diesBefore: 0, diesAfter: 0, fails: 0, stalls: 0 };
  /** Commits that the index refused. */
  stale = 0;
  private readonly answeredBy = new Map<string, Run>();
  private readonly random: Random;
  private events = 0;

  constructor(private readonly options: ManyTurnsOptions) {
    this.random = random(options.seed);
  }

  /** As a caller that repeats until it is answered. */
  async ask(conversation: string, line: MailboxLine): Promise<void> {
    for (;;)
      try {
        return await this.once(conversation, line);
      } catch (failure) {
        if (!(failure instanceof Died) && !(failure instanceof Failed)) throw failure;
        await delay(this.random.below(20));
      }
  }

  /** As the sweeper of every process. */
  async sweep(): Promise<number> {
    const claimed = await Promise.all(
      this.options.mailboxes.map(async (mailbox) => ({ mailbox, due: await mailbox.claimDue(20) })),
    );
    const leads = claimed.flatMap(({ mailbox, due }) =>
      due.map((each) => this.lead(mailbox, each, (runs) => this.deliver(runs))),
    );
    for (const done of await Promise.allSettled(leads)) if (done.status === 'fulfilled') this.deliver(done.value);
    return leads.length;
  }

  answered(conversation: string, idMessage: string): Run | undefined {
    return this.answeredBy.get(`${conversation} ${idMessage}`);
  }

  private async once(conversation: string, line: MailboxLine): Promise<void> {
    const mailbox = this.random.pick(this.options.mailboxes);
    const offer = await mailbox.offer(conversation, line, uuidv7());
    const { kind, token } = offer;
    if (kind === 'leader') return this.deliver(await this.lead(mailbox, { conversation, token }));
    if (offer.kind !== 'dup' || offer.was === 'joined') return;
    const kept = (await mailbox.getReply(conversation, token)) as string[] | null;
    const run = this.answered(conversation, line.idMessage);
    if (kept) return this.deliver(kept);
    if (!run) throw new Failed('still on its way');
    this.deliver([run.id]);
  }

  private deliver(runs: readonly string[]): void {
    for (const run of runs) this.delivered.add(run);
  }

  private fate(): Fate {
    let rest = this.random.below(1_000_000) / 1_000_000;
    for (const [fate, share] of Object.entries(FATES) as [keyof typeof FATES, number][]) {
      if (rest < share) return fate;
      rest -= share;
    }
    return 'lives';
  }

  /** The ids of the runs that it answers with; `push`: as nobody waits for them, they go out before their lines are done with. */
  private async lead(
    mailbox: Mailbox,
    { conversation, token }: Claimed,
    push?: (runs: readonly string[]) => void,
  ): Promise<string[]> {
    const answer: string[] = [];
    for (let round = 1; ; round += 1) {
      const ended = await this.round(mailbox, { conversation, token }, answer);
      if (ended === 'refused') continue;
      if (ended === 'lost') return answer;
      push?.(answer);
      await mailbox.putReply(conversation, token, answer);
      if ((await mailbox.finish(conversation, token, round < 3)) !== 'again') return answer;
    }
  }

  private async round(
    mailbox: Mailbox,
    { conversation, token }: Claimed,
    answer: string[],
  ): Promise<'committed' | 'refused' | 'lost'> {
    const lines = await mailbox.drain(conversation, token);
    if (lines === null) return 'lost';
    const from = (this.events += 1);
    for (const { idMessage } of lines) {
      const known = this.answered(conversation, idMessage);
      if (known && !answer.includes(known.id)) answer.push(known.id);
    }
    const ids = lines.flatMap(({ idMessage }) => (this.answered(conversation, idMessage) ? [] : [idMessage]));
    await mailbox.attempt(conversation, token);
    const fate = this.fate();
    this.hits[fate] += 1;
    if (fate === 'diesBefore') throw new Died();
    if (fate === 'fails') {
      await mailbox.release(conversation, token, Date.now() + 10);
      throw new Failed();
    }
    await delay(fate === 'stalls' ? mailbox.leaseMs * 1.5 : this.random.below(15));
    if (ids.length === 0) return 'committed';
    if (!this.commit({ id: uuidv7(), conversation, ids, from, to: 0 }, answer)) return 'refused';
    if (fate === 'diesAfter') throw new Died();
    return 'committed';
  }

  /** All or nothing, as the unique index has it. */
  private commit(run: Run, answer: string[]): boolean {
    if (run.ids.some((id) => this.answered(run.conversation, id))) {
      this.stale += 1;
      return false;
    }
    const committed = { ...run, to: (this.events += 1) };
    this.runs.push(committed);
    for (const id of run.ids) this.answeredBy.set(`${run.conversation} ${id}`, committed);
    answer.push(run.id);
    return true;
  }
}
