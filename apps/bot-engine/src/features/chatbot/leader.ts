import { isRefusedForEver } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Place } from '../limits/public';
import type { MailboxLine } from '../mailbox/public';
import { LEAST_MS, type ChatbotAnswer, type Lead, type LeadDeps } from './lead.types';
import { untilQuiet } from './quiet.window';
import { LeaseLost, Rounds } from './round';
import { stoppingNow } from './turn.life';
import type { StoreBot } from './turn.types';

/** What is kept for repeats of the leader's message: which runs answered it is in the database. */
export interface KeptReply {
  readonly status: ChatbotAnswer['status'];
  readonly answered: boolean;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** When the lines of a turn that failed may be tried again (design 3.2), in milliseconds from now. */
export const pauseAfter = (tries: number): number => Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);

/** Keeps the lease while the work goes on. Losing it changes nothing: the commit decides. */
const renewing = async <T>(
  { mailbox, around }: LeadDeps,
  { conversation, token }: Lead,
  work: () => Promise<T>,
): Promise<T> => {
  const renew = async (): Promise<void> => {
    if (await mailbox.renew(conversation, token)) return;
    clearInterval(timer);
    around.meters.leaseLost();
  };
  const timer = setInterval(
    () => void renew().catch((cause: unknown) => around.logger.warn('a lease could not be renewed', { cause })),
    mailbox.leaseMs / 3,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};

/** The store has as many turns as it may have. */
class Busy extends Error {
  constructor(readonly retryAfterMs: number) {
    super('the store has too many turns');
  }
}

/** One leader: the messages of a conversation, round by round, under one lease. */
class Leader {
  private readonly rounds: Rounds;
  private bot: StoreBot | undefined;
  private place: Place | undefined;
  private leaveShare: (() => void) | undefined;

  constructor(
    private readonly deps: LeadDeps,
    private readonly lead: Lead,
  ) {
    this.rounds = new Rounds(deps, lead);
    this.bot = lead.bot;
  }

  /** Undefined when the lease was lost before anything was answered. */
  async run(): Promise<ChatbotAnswer | undefined> {
    try {
      for (let round = 1; (await this.round(round)) === 'again'; round += 1);
      await this.pushed();
      return this.rounds.answer;
    } catch (failure) {
      return await this.failed(failure);
    } finally {
      void this.place?.leave();
      this.leaveShare?.();
    }
  }

  private async round(round: number): Promise<'again' | 'over'> {
    const { mailbox, around, botOf } = this.deps;
    const { conversation, gone } = this.lead;
    // What the sweeper takes has waited long enough
    if (gone || round > 1) await untilQuiet(mailbox, conversation, this.window(round), around.life.ending);
    const lines = await this.drained();
    const [first] = lines;
    this.bot ??= first && (await botOf(first));
    if (this.bot) {
      await this.takePlace(this.bot);
      await this.rounds.round(lines, this.bot);
    }
    await this.rounds.pushUndelivered();
    return this.finish(round);
  }

  /** Both at once; whichever fails, a place that was taken is known here, and given back. */
  private async drained(): Promise<readonly MailboxLine[]> {
    const { conversation, token } = this.lead;
    const placed = this.bot ? this.takePlace(this.bot) : Promise.resolve();
    const drained = this.deps.mailbox.drain(conversation, token);
    await Promise.allSettled([placed, drained]);
    await placed;
    const lines = await drained;
    if (!lines) throw new LeaseLost();
    return lines;
  }

  /** Before anything is tried: a store that is busy makes nobody's messages poisonous. */
  private async takePlace({ store }: StoreBot): Promise<void> {
    if (this.place) return;
    const { share } = this.lead;
    this.leaveShare ??= share?.(store.id);
    if (share && !this.leaveShare) throw new Busy(FIRST_PAUSE_MS);
    const begun = await this.deps.asked.limits.begin(store.id, this.lead.token);
    if ('retryAfterMs' in begun) throw new Busy(begun.retryAfterMs);
    this.place = begun;
  }

  /** No round begins with less time left than a turn needs. */
  private window(round: number): { windowMs: number; maxWaitMs: number } {
    const { settings } = this.deps.around;
    const agent = this.bot?.agent;
    const windowMs = agent?.windowMs ?? settings.windowMs;
    const maxWaitMs = agent?.maxWaitMs ?? settings.maxWaitMs;
    return { windowMs, maxWaitMs: round === 1 ? maxWaitMs : Math.min(maxWaitMs, this.rounds.left - LEAST_MS) };
  }

  /** Everything is committed by now: whoever comes next finds it, also when this cannot say so. */
  private async finish(round: number): Promise<'again' | 'over'> {
    const { mailbox, around } = this.deps;
    const { conversation, token } = this.lead;
    const { status, runs } = this.rounds.answer;
    const kept: KeptReply = { status, answered: runs.length > 0 };
    const mayContinue =
      round < around.settings.maxRounds && this.rounds.left >= LEAST_MS && !around.life.ending.aborted;
    try {
      const [, finished] = await Promise.all([
        mailbox.putReply(conversation, token, kept),
        mailbox.finish(conversation, token, mayContinue),
      ]);
      return finished === 'again' ? 'again' : 'over';
    } catch (cause) {
      around.logger.warn('a round could not be finished', { cause });
      return 'over';
    }
  }

  /** What was answered is answered; the lines in flight are left to whoever comes next. */
  private async failed(failure: unknown): Promise<ChatbotAnswer | undefined> {
    const { life, logger } = this.deps.around;
    const hasAnswered = this.rounds.runs.length > 0;
    const isStopping = life.stopping.aborted;
    if (!(failure instanceof LeaseLost)) await this.giveBack(failure);
    if (hasAnswered) await this.pushed();
    if (hasAnswered) return this.rounds.answer;
    if (failure instanceof LeaseLost) return undefined;
    if (isStopping) throw stoppingNow();
    if (failure instanceof Busy) throw new Unavailable(failure.message, { retryAfterSeconds: 2 });
    logger.warn('a turn failed', { cause: failure });
    throw new Unavailable('the turn failed', { retryAfterSeconds: 2, cause: failure });
  }

  /** A row that the database refuses for ever is told and passed over once everything else was tried: nothing waits behind it. */
  private async giveBack(failure: unknown): Promise<void> {
    const { mailbox, around } = this.deps;
    const { conversation, token } = this.lead;
    const isHopeless = this.rounds.isLastTry && isRefusedForEver(failure);
    if (isHopeless) around.logger.error('messages that cannot be kept were given up', { conversation, cause: failure });
    const given = isHopeless
      ? mailbox.finish(conversation, token, false)
      : mailbox.release(
          conversation,
          token,
          Date.now() + (around.life.stopping.aborted ? 0 : this.pauseAfter(failure)),
        );
    await given.catch((cause: unknown) => around.logger.warn('a lease could not be given back', { cause }));
  }

  /** Its caller may have gone since. */
  private async pushed(): Promise<void> {
    await this.rounds
      .pushUndelivered()
      .catch((cause: unknown) => this.deps.around.logger.warn('an answer was left to its repeat', { cause }));
  }

  private pauseAfter(failure: unknown): number {
    return failure instanceof Busy ? failure.retryAfterMs : pauseAfter(this.rounds.tries);
  }
}

export const leads = (deps: LeadDeps, lead: Lead): Promise<ChatbotAnswer | undefined> =>
  renewing(deps, lead, () => new Leader(deps, lead).run());
