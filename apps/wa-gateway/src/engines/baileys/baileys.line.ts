import type { AuthenticationCreds } from 'baileys';
import { LruCache, retry, type RetryOptions } from '@platform/runtime';
import type { EngineSink } from '../engine.types';
import { AccountKeeper } from './account.keeper';
import { ArrivalReader } from './arrival.reader';
import { Arrivals } from './arrivals';
import { loadLibrary, type Library } from './baileys.library';
import type { BaileysContext, BaileysDevice } from './baileys.context';
import { ClosePolicy } from './close-policy';
import { Connection, type OpenLine } from './connection';
import type { DeviceStore } from './device.stores';
import { EventLanes } from './event.lanes';
import { Farewells } from './farewells';
import { Groups } from './groups';
import { Inbound } from './inbound';
import { LineEvents } from './line.events';
import { LineKeys } from './line.keys';
import { Outgoing } from './outgoing';
import { Pairing } from './pairing';
import { People } from './people';
import { PollVotes } from './poll-votes';
import type { Account } from './receipts';
import { Reuploads } from './reuploads';
import { StateReporter } from './state.reporter';
import { openFarewell, openSocket, type LineMemory } from './socket';
import { StubHolder } from './stub.holder';
import type { Entrance } from './turnstile';

const RETRIES = 1_000;
const GROUPS = 500;
const STUB_HOLD_MS = 60_000;

/** Wires the parts that serve one device. */
export class BaileysLine {
  readonly connection: Connection;
  readonly outgoing: Outgoing;
  readonly groups: Groups;
  readonly reuploads: Reuploads;
  private readonly inbound: Inbound;
  private readonly events: LineEvents;
  private readonly states: StateReporter;
  private readonly store: DeviceStore;
  private readonly stubs: StubHolder;
  private readonly farewells: Farewells;
  private readonly entrance: Entrance;
  /** Nobody hears of a store that is away: the line closes first. */
  private readonly retrying: RetryOptions;
  private readonly memory: LineMemory = {
    retries: new LruCache({ limit: RETRIES }),
    groups: new LruCache({ limit: GROUPS }),
  };

  static async create(device: BaileysDevice, context: BaileysContext, sink: EngineSink): Promise<BaileysLine> {
    const { logger, line } = context;
    return new BaileysLine(device, context, sink, await loadLibrary({ logger, rootKey: line.rootKey }));
  }

  private constructor(
    private readonly device: BaileysDevice,
    private readonly context: BaileysContext,
    private readonly sink: EngineSink,
    private readonly library: Library,
  ) {
    const { stores, media, line, logger, clock } = context;
    const me = () => this.me();
    this.store = stores.of(device.instanceId, library);
    // The gateway knows no stores: who is told of what a device receives is the nearest to a tenant
    this.entrance = context.turnstile.entrance(device.webhookUrl);
    this.retrying = stores.retrying((cause) => this.connection.drop(cause));
    this.stubs = this.createStubs(line.stubHoldMs ?? STUB_HOLD_MS);
    this.farewells = new Farewells({
      ...{ store: this.store.farewells, entrance: this.entrance, logger },
      open: (creds) => openFarewell({ library, settings: line, logger }, creds),
    });
    this.states = new StateReporter((...news) => sink.state(...news), logger);
    this.reuploads = new Reuploads(library);
    const people = this.createPeople();
    this.groups = new Groups(people, this.memory.groups);
    this.outgoing = new Outgoing({ library, archive: this.store.archive, open: media.open, groups: this.groups });
    this.inbound = this.createInbound(new ArrivalReader(library, people, me));
    const lanes = new EventLanes(this.retrying, logger);
    this.events = new LineEvents({ sink, inbound: this.inbound, people, me, memory: this.memory, lanes, clock });
    this.connection = this.createConnection();
  }

  /** What an earlier process left is taken up, and the device connects after so many milliseconds, unless they are left out. */
  async start(afterMs: number | undefined): Promise<void> {
    const failed = (cause: unknown): void =>
      this.context.logger.warn('messages that could not be decrypted wait for the next start', { cause });
    void retry(() => this.stubs.resume(), { ...this.retrying, givingUp: () => undefined }).catch(failed);
    this.farewells.start();
    await this.connection.start(afterMs);
  }

  async stop(): Promise<void> {
    this.stubs.clear();
    this.farewells.stop();
    this.states.stop();
    await this.connection.stop();
  }

  private createStubs(holdMs: number): StubHolder {
    const { store, retrying, sink } = this;
    return new StubHolder({
      ...{ store: store.stubs, holdMs, retrying, logger: this.context.logger },
      known: (id) => store.archive.has(id),
      tell: (message) => sink.message(message),
    });
  }

  private createPeople(): People {
    return new People({
      identities: this.store.identities,
      mapped: async (lid) => (await this.connection.socket?.signalRepository.lidMapping.getPNForLID(lid)) ?? null,
      news: (lid, number) => this.sink.event('identityMapped', { lid, number }),
    });
  }

  private createInbound(reader: ArrivalReader): Inbound {
    const { sink, stubs, retrying, library, store, context, device } = this;
    const { media, logger } = context;
    const votes = new PollVotes(library, store.archive);
    const arrivals = new Arrivals({
      sink,
      seal: (descriptor) => media.seal(device.instanceId, descriptor),
      stubs,
      vote: async (arrival) => {
        const vote = await votes.read(arrival, this.me());
        if (vote) sink.event('pollVote', vote);
      },
      retrying,
      logger,
    });
    return new Inbound(reader, arrivals, (id) => store.archive.has(id), retrying);
  }

  private createConnection(): Connection {
    const { random, clock, logger, line } = this.context;
    return new Connection({
      account: new AccountKeeper({
        ...{ store: this.store.auth, custody: this.sink, retrying: this.retrying, logger },
        unlinkLater: (creds) => this.farewells.add(creds),
      }),
      pairing: new Pairing((info) => this.states.tell(() => this.sink.qr(info)), line.codeLifeMs, clock, logger),
      policy: new ClosePolicy(random, () => clock.now()),
      open: (creds) => this.open(creds),
      state: (...news) => this.states.report(...news),
      entrance: this.entrance,
      logger,
    });
  }

  private open(creds: AuthenticationCreds): OpenLine {
    const { inbound, memory, library } = this;
    const { auth, archive } = this.store;
    const { logger, line: settings } = this.context;
    const keys = new LineKeys(auth, this.retrying);
    const { online } = this.device;
    const socket = openSocket({ library, settings, creds, keys, online, archive, inbound, memory, logger });
    this.events.listen(socket, () => keys.hasEnded);
    this.reuploads.listen(socket);
    return { socket, keys };
  }

  private me(): Account {
    const { id = '', lid } = this.connection.account?.me ?? {};
    return { id, lid };
  }
}
