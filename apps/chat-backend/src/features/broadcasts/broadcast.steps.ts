import type { Database, Transaction } from '@platform/data';
import { InvalidInput, Unavailable } from '@platform/errors';
import { systemClock } from '@platform/runtime';
import type { LifecycleRepository } from '../lifecycle/public';
import { refusals } from '../tenancy/public';
import type { BroadcastAction, BroadcastStatus } from './broadcast.dto';
import type { BroadcastRepository, Step, StepOptions } from './broadcast.repository';
import type { CampaignEnds, LimitedStop, Stop } from './campaign.ends';
import type { CampaignFill } from './campaign.fill';
import type { CampaignKey, CampaignRecord, Deviceless, Waiting } from './campaign.types';

interface Rule extends Step {
  /** In these states the step was taken already: a repeat is harmless (design 2.1). */
  readonly fulfilled: readonly BroadcastStatus[];
}

const BEFORE: readonly BroadcastStatus[] = ['draft', 'scheduled'];
const rules: Readonly<Record<BroadcastAction, Rule>> = {
  start: { from: BEFORE, to: 'sending', fulfilled: [] },
  schedule: { from: BEFORE, to: 'scheduled', fulfilled: [] },
  pause: { from: ['sending'], to: 'paused', fulfilled: ['paused'] },
  resume: { from: ['paused'], to: 'sending', fulfilled: ['sending'] },
  cancel: { from: [...BEFORE, 'sending', 'paused'], to: 'cancelled', fulfilled: ['cancelled'] },
};

export const hasNotBegun = ({ status }: CampaignRecord): boolean => BEFORE.includes(status);

const DAY_MS = 24 * 3600 * 1000;
const MOST_AUDIENCE = 100_000;
const DUE_AT_ONCE = 100;

/** The timer tries once a minute. A draft can be changed, scheduled and started again. */
const NEVER_STARTS: LimitedStop = {
  ...{ from: 'scheduled', to: 'draft', most: 10 },
  why: 'tidak dapat dimulai karena gangguan; kembali menjadi draft',
};
const NO_LONGER = 'toko tidak dapat mengirim pesan';
/** Of a store that may not send: whoever may decides later whether it is still to go out. */
const NOT_BEGUN: Stop = { from: 'scheduled', to: 'draft', why: `${NO_LONGER}; kembali menjadi draft` };
const HALTED: Stop = { from: 'sending', to: 'paused', why: `${NO_LONGER}; lanjutkan setelah dapat mengirim lagi` };
const GONE = 'perangkat sudah dihapus';
/** Nobody brings a device back under its name: a draft can be given another one, and who is left is told of. */
const DEVICELESS: Readonly<Record<Deviceless['status'], Stop>> = {
  scheduled: { from: 'scheduled', to: 'draft', why: `${GONE}; kembali menjadi draft` },
  sending: { from: 'sending', to: 'paused', why: `${GONE}; broadcast dijeda`, inFlight: true },
};
const TOO_BROAD: Stop = { from: 'scheduled', to: 'failed', why: 'penerima terlalu banyak' };

export interface StepDependencies {
  readonly database: Database;
  readonly repository: BroadcastRepository;
  readonly lifecycle: Pick<LifecycleRepository, 'instant'>;
  readonly fill: Pick<CampaignFill, 'queue'>;
  readonly ends: Pick<CampaignEnds, 'attempt' | 'stop'>;
  /** Customers that a filter may mean; 100,000 unless given. */
  readonly mostAudience?: number;
}

const refused = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);
const notAhead = (field: string) => refused(field, 'gt', 'must be greater than the current Date & Time');

/** A campaign with which something could not be done, and why. */
interface Failed {
  readonly key: CampaignKey;
  readonly cause: unknown;
}

/** Undefined: it has failed. */
const attempted = <T>(key: CampaignKey, failed: Failed[], work: () => Promise<T>): Promise<T | undefined> =>
  work().catch((cause: unknown) => {
    // Without a database nothing could be done with any of them
    if (cause instanceof Unavailable) throw cause;
    failed.push({ key, cause });
    return undefined;
  });

/** draft, scheduled, sending, paused, done, cancelled, failed: every step of a campaign, and those that time makes. */
export class BroadcastSteps {
  constructor(private readonly needs: StepDependencies) {}

  /** Takes the step, or nothing when it was taken already; resolves to the campaign. Throws `broadcast_started`, `version_conflict` or `status_changed` with it. */
  act(key: CampaignKey, action: BroadcastAction, options: StepOptions = {}): Promise<CampaignRecord> {
    return this.needs.database.tx(async (tx) => {
      const taken = await this.take(tx, key, action, options);
      const record = await this.needs.repository.get(tx, key);
      if (!taken && !rules[action].fulfilled.includes(record.status)) throw this.refusal(action, record);
      return record;
    });
  }

  /** One step inside the caller's transaction; false when the campaign is in another state, or filled anew. */
  async take(tx: Transaction, key: CampaignKey, action: BroadcastAction, options: StepOptions = {}): Promise<boolean> {
    const { from, to } = rules[action];
    const audience = await this.needs.repository.move(tx, key, { from, to }, options);
    if (audience === undefined) return false;
    if (to !== 'sending') return true;
    if (action === 'start' && audience !== null) {
      const { repository, mostAudience = MOST_AUDIENCE } = this.needs;
      if (!(await repository.addAudience(tx, key, audience, mostAudience))) throw refusals.tooBroad();
    }
    await this.needs.fill.queue(tx, key);
    return true;
  }

  /** Why a change is refused to a campaign in this state. */
  refusal(action: BroadcastAction | 'save' | 'remove', record: CampaignRecord): Error {
    const begins = ['start', 'schedule', 'save', 'remove'].includes(action);
    if (begins && action !== 'remove' && hasNotBegun(record)) return refusals.broadcastChanged(record);
    const hasBegun = !hasNotBegun(record) && record.status !== 'cancelled';
    return begins && hasBegun ? refusals.broadcastStarted(record) : refusals.statusChanged({ data: record });
  }

  /** `YYYY-MM-DD HH:MM` of the store's wall clock as an instant; 422 `jadwal` when it is past. */
  async instant(storeId: string, minute: string | undefined): Promise<string> {
    if (minute === undefined) throw refused('jadwal', 'required', 'is a required field');
    // Coarse enough for every time zone; also keeps out years that PostgreSQL does not know
    if (Date.parse(`${minute.replace(' ', 'T')}:00Z`) < Date.now() - DAY_MS) throw notAhead('jadwal');
    const { at, future } = await this.needs.lifecycle.instant(this.needs.database, storeId, minute);
    if (!future) throw notAhead('jadwal');
    return at;
  }

  /** A moment as it was said; 422 `at` when it is past. */
  ahead(at: string): string {
    if (Date.parse(at) <= systemClock.now().getTime()) throw notAhead('at');
    return at;
  }

  /**
   * Stops those whose device is gone, starts what is due, of one store or of all, and resolves to how many. Moves on whatever has nothing in flight. One
   * with which nothing can be done holds up no other: it is reported at the end.
   */
  async sweep(storeId?: string): Promise<number> {
    const { database, repository } = this.needs;
    const failed: Failed[] = [];
    await this.stopDeviceless(storeId, failed);
    const claimed = await this.startAll(storeId, failed);
    await repository.release(database, storeId);
    await this.moveOn(storeId, failed);
    const [{ key, cause } = {}] = failed;
    if (key) throw new Error(`${failed.length} campaigns could not be moved, first ${key.broadcastId}`, { cause });
    return claimed;
  }

  /** Each once: those that stay due are not looked at again. */
  private async startAll(storeId: string | undefined, failed: Failed[]): Promise<number> {
    const { database, repository } = this.needs;
    const looked: string[] = [];
    for (let claimed = 0; ;) {
      const due = await repository.due(database, storeId, { most: DUE_AT_ONCE, leftOut: looked });
      for (const each of due) {
        looked.push(each.broadcastId);
        if (await attempted(each, failed, () => this.startDue(each))) claimed += 1;
      }
      if (due.length < DUE_AT_ONCE) return claimed;
    }
  }

  /** By what stands in the database, not by the news: so no push is missed, nor a campaign that began beside it. */
  private async stopDeviceless(storeId: string | undefined, failed: Failed[]): Promise<void> {
    const { database, repository, ends } = this.needs;
    for (const { status, ...key } of await repository.deviceless(database, storeId))
      await attempted(key, failed, () => ends.stop(key, DEVICELESS[status]));
  }

  /** Those that nothing moves; of stores that may not send they pause. */
  private async moveOn(storeId: string | undefined, failed: Failed[]): Promise<void> {
    const { database, repository, fill, ends } = this.needs;
    for (const { sends, ...key } of await repository.idle(database, storeId))
      await attempted(key, failed, () => (sends ? database.tx((tx) => fill.queue(tx, key)) : ends.stop(key, HALTED)));
  }

  /**
   * False: another process was first, or it was postponed meanwhile. One that cannot begin is stopped and its maker told, or it
   * would be due for ever.
   */
  private async startDue({ sends, ...key }: Waiting): Promise<boolean> {
    const { repository, ends } = this.needs;
    if (!sends) {
      await ends.stop(key, NOT_BEGUN);
      return false;
    }
    try {
      const begun = await ends.attempt(
        key,
        NEVER_STARTS,
        async (tx) => (await repository.lockDue(tx, key)) && (await this.take(tx, key, 'start')),
      );
      return begun ?? false;
    } catch (failure) {
      if ((failure as { code?: string }).code !== 'too_broad') throw failure;
      await ends.stop(key, TOO_BROAD);
      return false;
    }
  }
}
