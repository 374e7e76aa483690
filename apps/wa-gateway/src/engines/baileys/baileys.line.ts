import type { AuthenticationCreds } from 'baileys';
import { LruCache, type RetryOptions } from '@platform/runtime';
import type { DeviceState, EngineSink, QrInfo } from '../engine.types';
import { AuthStore } from './auth.store';
import { loadLibrary, type Library } from './baileys.library';
import type { BaileysContext, BaileysDevice } from './baileys.context';
import { Connection, type OpenLine } from './connection';
import { Groups } from './groups';
import { IdentityStore } from './identity.store';
import { Inbound } from './inbound';
import { LineEvents } from './line.events';
import { LineKeys } from './line.keys';
import { MessageArchive } from './message.archive';
import type { MediaDescriptor } from './message.normaliser';
import { Outgoing } from './outgoing';
import { People } from './people';
import { PollVotes } from './poll-votes';
import type { Account } from './receipts';
import { StateReporter } from './state.reporter';
import { openSocket, type LineMemory } from './socket';
import { StubHolder } from './stub.holder';

const PAUSE_MS = 250;
const RETRIES = 1_000;
const GROUPS = 500;

/** Wires the parts that serve one device. */
export class BaileysLine {
  readonly connection: Connection;
  readonly outgoing: Outgoing;
  readonly groups: Groups;
  private readonly inbound: Inbound;
  private readonly events: LineEvents;
  private readonly states: StateReporter;
  private readonly store: AuthStore;
  private readonly archive: MessageArchive;
  private readonly people: People;
  private readonly stubs: StubHolder;
  private readonly memory: LineMemory = {
    retries: new LruCache({ limit: RETRIES }),
    groups: new LruCache({ limit: GROUPS }),
  };

  static async create(device: BaileysDevice, context: BaileysContext, sink: EngineSink): Promise<BaileysLine> {
    return new BaileysLine(device, context, sink, await loadLibrary(context.library));
  }

  private constructor(
    private readonly device: BaileysDevice,
    private readonly context: BaileysContext,
    private readonly sink: EngineSink,
    private readonly library: Library,
  ) {
    const { instanceId } = device;
    const { database, box, logger, clock } = context;
    this.store = new AuthStore(instanceId, database, box, library);
    this.archive = new MessageArchive(instanceId, database, box, library);
    this.stubs = new StubHolder(context.stubHoldMs);
    this.states = new StateReporter((state, cause) => sink.state(state, cause), logger);
    this.people = new People({
      identities: new IdentityStore(instanceId, database),
      mapped: async (lid) => (await this.connection.socket?.signalRepository.lidMapping.getPNForLID(lid)) ?? null,
      news: (lid, number) => sink.event('identityMapped', { lid, number }),
    });
    this.groups = new Groups(this.people, this.memory.groups);
    this.outgoing = new Outgoing({ library, archive: this.archive, open: context.open, groups: this.groups });
    const shared = { sink, people: this.people, me: () => this.me(), retrying: this.retrying(), logger };
    const votes = new PollVotes(library, this.archive);
    this.inbound = new Inbound({
      ...shared,
      library,
      stubs: this.stubs,
      known: (id) => this.archive.has(id),
      seal: (descriptor) => this.sealed(descriptor),
      vote: async (arrival) => {
        const vote = await votes.read(arrival, this.me());
        if (vote) sink.event('pollVote', vote);
      },
    });
    this.events = new LineEvents({ ...shared, inbound: this.inbound, memory: this.memory, clock });
    this.connection = this.createConnection();
  }

  async stop(): Promise<void> {
    this.stubs.clear();
    this.states.stop();
    await this.connection.stop();
  }

  private createConnection(): Connection {
    const { gate, random, clock, logger, line } = this.context;
    return new Connection({
      store: this.store,
      open: (creds) => this.open(creds),
      state: (state: DeviceState, cause?: string) => this.states.report(state, cause),
      qr: (info: QrInfo) => this.states.tell(() => this.sink.qr(info)),
      gate,
      retrying: this.retrying(),
      codeLifeMs: line.codeLifeMs,
      random,
      clock,
      logger,
    });
  }

  private open(creds: AuthenticationCreds): OpenLine {
    const { store, archive, inbound, memory, library } = this;
    const { logger, line: settings } = this.context;
    const keys = new LineKeys(store, this.retrying());
    const { online } = this.device;
    const socket = openSocket({ library, settings, creds, keys, online, archive, inbound, memory, logger });
    this.events.listen(socket, () => keys.hasEnded);
    return { socket, keys };
  }

  private sealed(descriptor: MediaDescriptor): string {
    return this.context.box.seal(JSON.stringify(descriptor), `media ${this.device.instanceId}`);
  }

  private me(): Account {
    const { id = '', lid } = this.connection.account?.me ?? {};
    return { id, lid };
  }

  /** While the store is away nothing may leave: the line closes before anybody hears of the failure (design 3.2). */
  private retrying(): RetryOptions {
    return {
      limitMs: this.context.storeLimitMs,
      pauseMs: PAUSE_MS,
      givingUp: (cause) => this.connection.drop(cause),
    };
  }
}
