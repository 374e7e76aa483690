import { TooMany } from '@platform/errors';
import { fixedClock, silentLogger } from '@platform/runtime';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { entities, migrations, schema } from '../../data-source';
import type { EngineKind, Jid, WaEngine } from '../../engines/engine.types';
import { messageIdOf } from '../messages/message-id';
import { MessageReports } from '../messages/message-reports.service';
import { MessagesRepository, type NewSend, type UnsentMessage } from '../messages/messages.repository';
import { sendDrafts } from '../messages/send-drafts';
import { BulkAdmission } from './bulk.admission';
import { CampaignLane } from './campaign.lane';
import { CampaignsRepository, type NewBroadcast } from './campaigns.repository';
import { laneRules, type QuietHours } from './lane-rules';
import { LaneRelease } from './lane-release';
import { defaultPace } from './pace';
import { Pacing } from './pacing';
import { Timetable } from './timetable';

export const jid = (nohp: string | number): Jid => `${nohp}@s.whatsapp.net`;

export const IDLE_MS = 3_600_000;

interface LaneSettings {
  readonly kind?: EngineKind;
  readonly quiet?: QuietHours;
  readonly dailyLimit?: number;
  /** What WhatsApp says of a number; it knows all unless told otherwise. */
  readonly exists?: (number: Jid) => Promise<boolean | undefined>;
  /** The engine has no such question. */
  readonly cannotAsk?: boolean;
}

/** Lanes on a real database, with a clock that stands still, pauses of exactly the middle, and nobody behind the queue. */
export class Lanes {
  readonly clock = fixedClock('2026-11-20T12:00:00+07:00');
  readonly told: Record<string, unknown>[] = [];
  readonly asked: Jid[] = [];
  private devices = 0;
  private constructor(readonly database: TestDatabase) {}

  static async open(): Promise<Lanes> {
    return new Lanes(await testDatabase({ schema, migrations, entities }));
  }

  stop(): Promise<void> | undefined {
    return this.database.stop?.();
  }

  /** A device of its own, connected, with its lane. */
  async device(settings: LaneSettings = {}) {
    const instanceId = `toko-${++this.devices}`;
    const insert = `INSERT INTO device (instance_id, engine, status, webhook_url) VALUES ($1, $2, 'connected', 'http://127.0.0.1:9/v1')`;
    await this.database.query(insert, [instanceId, settings.kind ?? 'cloud']);
    return new LaneUnderTest(this, instanceId, settings);
  }
}

export class LaneUnderTest {
  readonly campaigns: CampaignsRepository;
  readonly lane: CampaignLane;
  readonly bulk: BulkAdmission;
  /** What the device's queue got, in order. */
  readonly released: UnsentMessage[] = [];
  /** What has not left the queue. */
  readonly stuck = new Set<string>();
  isOnline = true;
  private seq = 0;

  constructor(
    private readonly lanes: Lanes,
    readonly instanceId: string,
    private readonly settings: LaneSettings,
  ) {
    this.campaigns = new CampaignsRepository(lanes.database);
    this.lane = this.another();
    const { database, clock } = lanes;
    const messages = new MessagesRepository(database);
    const timetable = new Timetable(this.campaigns, this.rulesOf, clock);
    this.bulk = new BulkAdmission({ database, campaigns: this.campaigns, messages, timetable, places: 5 });
  }

  /** The same lane once more, as another process would have it for a moment. */
  another(): CampaignLane {
    const { database, clock, told, asked } = this.lanes;
    const { exists = async () => true, cannotAsk, kind = 'cloud' } = this.settings;
    const messages = new MessagesRepository(database);
    const announcer = {
      tell: (_: string, event: string, payload: object) => void told.push({ event, ...payload }),
      tellRoom: () => undefined,
      broadcast: async () => 0,
    };
    const capabilities = { exists: cannotAsk ? { reason: 'no such call' } : true };
    const engine = { kind, capabilities } as unknown as WaEngine;
    const isRegistered = async (_: string, __: WaEngine, number: Jid) => {
      asked.push(number);
      return exists(number);
    };
    const outgoing = {
      isOpen: true,
      push: (message: UnsentMessage) => void this.released.push(message),
      has: ({ id }: UnsentMessage) => this.stuck.has(id),
    };
    Object.defineProperty(outgoing, 'isOpen', { get: () => this.isOnline });
    return new CampaignLane(
      { instanceId: this.instanceId, engine, outgoing },
      {
        campaigns: this.campaigns,
        release: new LaneRelease({
          database,
          campaigns: this.campaigns,
          messages,
          reports: new MessageReports({ database, messages, announcer, clock, logger: silentLogger }),
          drafts: sendDrafts({ reportsPending: true, filesBaseUrl: '' }),
        }),
        known: { isRegistered },
        announcer,
        pacingOf: (of) => new Pacing(this.rulesOf(of), clock, () => 0),
        idleMs: IDLE_MS,
        logger: silentLogger,
      },
    );
  }

  /** Who got something so far, in order. */
  get receivers(): string[] {
    return this.released.map(({ chat }) => chat.split('@')[0] ?? '');
  }

  async broadcast(broadcastId: string, numbers: readonly (string | number)[], more: Partial<NewBroadcast> = {}) {
    const { instanceId, lanes } = this;
    const count = numbers.length;
    const answer = { broadcast_id: broadcastId, total: count, queued: count, rejected: [], estimated_finish: null };
    const recipients = numbers.map((nohp) => ({
      id: messageIdOf(`${broadcastId}|${nohp}`),
      chat: jid(nohp),
      fields: { nama: `Kak ${nohp}` },
    }));
    const broadcast: NewBroadcast = {
      instanceId,
      broadcastId,
      content: { kind: 'text', text: 'Halo {{nama}}' },
      pace: defaultPace,
      dailyLimit: null,
      checkNumber: true,
      echo: false,
      startAt: lanes.clock.now(),
      recipients,
      answer,
      ...more,
    };
    await lanes.database.tx((tx) => this.campaigns.add(tx, broadcast));
  }

  /** A single send of a campaign that another system keeps; resolves to the seconds it was asked to wait, or undefined. */
  async single(nohp: string | number, pace = defaultPace): Promise<number | undefined> {
    const { instanceId, lanes, settings } = this;
    const pesanId = `B-${++this.seq}`;
    const payload = { content: { kind: 'text', text: 'Promo' }, options: {} } as const;
    const at = lanes.clock.now();
    const send: NewSend = { instanceId, chat: jid(nohp), id: pesanId, pesanId, role: 'bot', payload, hash: '', at };
    try {
      await this.bulk.admit(send, [], { kind: settings.kind ?? 'cloud', pace });
      return undefined;
    } catch (failure) {
      if (failure instanceof TooMany) return failure.retryAfterSeconds;
      throw failure;
    }
  }

  /** Lets time pass second by second, until the lane has released so many; resolves to the seconds that took. */
  async secondsUntil(released: number, limit = 100_000): Promise<number> {
    for (let seconds = 0; seconds <= limit;) {
      const wait = (await this.lane.step()) ?? 1_000;
      if (this.released.length >= released) return seconds;
      const pass = Math.max(1, Math.ceil(wait / 1_000));
      if (wait > 0) this.lanes.clock.advance(pass * 1_000);
      seconds += wait > 0 ? pass : 0;
    }
    throw new Error(`${this.released.length} of ${released} were released within ${limit} s`);
  }

  async progress(broadcastId: string) {
    const row = await this.campaigns.find(broadcastId);
    if (!row) throw new Error('no such broadcast');
    const { state, cause, total, sent, failed, skipped } = row;
    return { state, cause, total, sent, failed, skipped };
  }

  /** Reports the outcome of a message that has left. */
  async fail(id: string, code: string): Promise<void> {
    const { database, clock } = this.lanes;
    const announcer = { tell: () => undefined, tellRoom: () => undefined, broadcast: async () => 0 };
    const reports = new MessageReports({
      database,
      messages: new MessagesRepository(database),
      announcer,
      clock,
      logger: silentLogger,
    });
    await reports.failure(this.instanceId, id, { code, retryable: false });
  }

  /** What the device's own queue takes up after a crash. */
  async unsent(): Promise<Jid[]> {
    const messages = new MessagesRepository(this.lanes.database);
    return (await messages.unsent(this.instanceId, true)).map(({ chat }) => chat);
  }

  private readonly rulesOf = (kind: EngineKind) => {
    const { quiet, dailyLimit } = this.settings;
    return laneRules(kind, { zone: 'Asia/Jakarta', quiet, dailyLimit });
  };
}
