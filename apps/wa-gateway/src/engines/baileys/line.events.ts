import type { BaileysEventMap, WASocket } from 'baileys';
import type { Clock } from '@platform/runtime';
import type { EngineSink } from '../engine.types';
import type { BinaryNode } from './baileys.library';
import { isWithheld } from './arrival.reader';
import type { EventLanes } from './event.lanes';
import type { Inbound } from './inbound';
import { isGroup, type People } from './people';
import { acknowledgementOf, receiptOf, type Account } from './receipts';
import type { LineMemory } from './socket';

export interface LineEventsOptions {
  readonly sink: EngineSink;
  readonly inbound: Inbound;
  readonly people: People;
  readonly me: () => Account;
  readonly memory: LineMemory;
  readonly lanes: EventLanes;
  readonly clock: Clock;
}

/** WhatsApp's reach-out time-lock: this account may not begin conversations. */
const TIME_LOCK = '463';
/** How long campaigns rest when WhatsApp does not say until when it limits the account. */
const REST_MS = 24 * 3_600_000;

/** What a connection reports apart from messages: acknowledgements, receipts, groups, presence, restrictions. */
export class LineEvents {
  constructor(private readonly options: LineEventsOptions) {}

  listen({ ws, ev }: WASocket, hasEnded: () => boolean): void {
    ws.on('CB:ack,class:message', (node: BinaryNode) => this.acknowledged(node));
    ws.on('CB:message', (node: BinaryNode) => {
      if (isWithheld(node)) this.inLane(`in ${node.attrs.from}`, () => this.options.inbound.withheld(node));
    });
    ws.on('CB:receipt', (node: BinaryNode) => this.receipt(node));
    ev.on('messages.upsert', ({ messages }) => {
      // A connection that has ended fails at what it still works on; the message itself comes again on the next one
      for (const message of messages.filter(({ messageStubType }) => !messageStubType || !hasEnded()))
        this.inLane(`in ${message.key.remoteJid}`, () => this.options.inbound.upserted(message));
    });
    ev.on('lid-mapping.update', ({ lid, pn }) => this.inLane(lid, () => this.options.people.learn(lid, pn)));
    ev.on('connection.update', ({ reachoutTimeLock: lock }) => {
      if (lock?.isActive) this.restricted(lock.timeEnforcementEnds, 'reach-out time-lock');
    });
    ev.on('message-capping.update', ({ capping_status: status, cycle_end_timestamp: end }) => {
      if (String(status) === 'CAPPED')
        this.restricted(end ? new Date(Number(end) * 1000) : undefined, 'message capping');
    });
    this.announceOthers(ev);
  }

  private announceOthers(ev: WASocket['ev']): void {
    const { sink, memory } = this.options;
    ev.on('groups.update', (groups) => {
      for (const { id, subject: name, desc: description, announce } of groups) {
        if (id) memory.groups.delete(id);
        sink.event('groupUpdate', { group_id: id, action: 'update', name, description, announce });
      }
    });
    ev.on('group-participants.update', (change) => this.groupChanged(change));
    ev.on('presence.update', ({ id, presences }) => {
      for (const [person, { lastKnownPresence: state }] of Object.entries(presences))
        this.inLane(`presence ${id}`, async () => {
          const { people } = this.options;
          const [chat, participant] = await Promise.all([people.person(id), people.person(person)]);
          sink.event('presence', { number: chat.jid, state, ...(isGroup(id) ? { participant: participant.jid } : {}) });
        });
    });
    ev.on('call', (calls) => {
      for (const { id, from, callerPn, status: state, isVideo } of calls)
        this.inLane(`call ${id}`, async () => {
          const { jid: number } = await this.options.people.person(from, callerPn);
          sink.event('call', { number, id, state, video: isVideo ?? false });
        });
    });
  }

  private groupChanged({ id, action, participants }: BaileysEventMap['group-participants.update']): void {
    const { sink, people, memory } = this.options;
    memory.groups.delete(id);
    this.inLane(`group ${id}`, async () => {
      const members = await Promise.all(participants.map((one) => people.person(one.id, one.phoneNumber ?? one.lid)));
      sink.event('groupUpdate', { group_id: id, action, participants: members.map(({ jid }) => jid) });
    });
  }

  private acknowledged(node: BinaryNode): void {
    const { sink } = this.options;
    const ack = acknowledgementOf(node);
    if (!ack) return;
    const { id, chat, error, at = this.now() } = ack;
    if (error === undefined)
      return this.inLane(id, async () => {
        const { jid } = await this.options.people.person(chat);
        await sink.status({ id, chat: jid, level: 'sent', at });
      });
    this.inLane(id, () => sink.failure({ id, code: `WA_${error}`, retryable: false }));
    if (error === TIME_LOCK) this.restricted(undefined, `WA_${TIME_LOCK}`);
  }

  private receipt(node: BinaryNode): void {
    const { sink, people, me } = this.options;
    const receipt = receiptOf(node, me());
    if (!receipt) return;
    const { ids, level, participant, participantNumber, at = this.now() } = receipt;
    for (const id of ids)
      this.inLane(id, async () => {
        const { jid: chat } = await people.person(receipt.chat);
        const reader =
          participant === undefined ? {} : { participant: (await people.person(participant, participantNumber)).jid };
        await sink.status({ id, chat, level, at, ...reader });
      });
  }

  private restricted(until: Date | undefined, cause: string): void {
    const end = until ?? new Date(this.options.clock.now().getTime() + REST_MS);
    this.inLane('restricted', () => this.options.sink.restricted(end, cause));
  }

  /** One after another per message, so that no level is overtaken. */
  private inLane(lane: string, work: () => Promise<void>): void {
    this.options.lanes.run(lane, work);
  }

  private now(): number {
    return Math.floor(this.options.clock.now().getTime() / 1000);
  }
}
