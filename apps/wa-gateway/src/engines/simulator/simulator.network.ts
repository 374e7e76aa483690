import { randomBytes } from 'node:crypto';
import type { MessageKind } from '@platform/contracts';
import { Conflict, NotFound } from '@platform/errors';
import type { Component } from '@platform/runtime';
import type { Jid, MediaRef, NeutralMessage } from '../engine.types';
import { SimulatorEngine, type SimulatorContext } from './simulator.engine';
import { noFaults, type Phone, type ShownMessage, type SimulatorFaults } from './simulator.store';

/** What a customer types. */
export interface CustomerMessage {
  readonly text?: string;
  readonly location?: { latitude: string; longitude: string; name?: string; address?: string };
  /** A file that lies on the network's media servers already. */
  readonly media?: MediaRef;
  readonly group?: Jid;
}

/** A phone sends as a document what it cannot show. */
const kindOf = ({ mimetype }: MediaRef): MessageKind =>
  (['image', 'video', 'audio'] as const).find((kind) => mimetype.startsWith(`${kind}/`)) ?? 'document';

/** The customers' side of the simulator: phones, what they send, what they show. */
export class SimulatorNetwork implements Component {
  readonly name = 'simulator';
  private readonly engines = new Map<string, SimulatorEngine>();
  private current: SimulatorFaults = noFaults;

  constructor(private readonly context: Omit<SimulatorContext, 'faults'>) {}

  async start(): Promise<void> {
    this.current = await this.context.store.faults();
  }

  createEngine(instanceId: string): SimulatorEngine {
    const engine = new SimulatorEngine(instanceId, { ...this.context, faults: () => this.current });
    this.engines.set(instanceId, engine);
    return engine;
  }

  engine(instanceId: string): SimulatorEngine {
    const engine = this.engines.get(instanceId);
    if (!engine) throw new NotFound('device not found');
    return engine;
  }

  addPhone(nohp: string, name?: string): Promise<Phone> {
    return this.context.store.savePhone(nohp, name);
  }

  async scan(instanceId: string, nohp: string, qr?: string): Promise<void> {
    const engine = this.engine(instanceId);
    await engine.scan(await this.context.store.savePhone(nohp), qr);
  }

  /** `to` is a device, or the number of one. Resolves when the network has the message, not when the device has it. */
  async customerSends(from: string, to: { instanceId: string } | { nohp: string }, sent: CustomerMessage) {
    const { store, clock } = this.context;
    const instanceId = 'instanceId' in to ? to.instanceId : await store.instanceOf(to.nohp);
    const engine = this.engine(instanceId ?? '');
    if (instanceId === undefined || !engine.info().linked) throw new Conflict('device not connected');
    const phone = (await store.phone(from)) ?? (await store.savePhone(from));
    const message = this.compose(phone, sent, Math.floor(clock.now().getTime() / 1000));
    await store.hold(instanceId, phone.nohp, message);
    engine.wake();
    return { id: message.id, instanceID: instanceId, number: message.chat, name: phone.name, timestamp: message.at };
  }

  inbox(nohp: string): Promise<ShownMessage[]> {
    return this.context.store.inbox(nohp);
  }

  async phone(nohp: string): Promise<Phone> {
    const phone = await this.context.store.phone(nohp);
    if (!phone) throw new NotFound('phone not found');
    return phone;
  }

  async read(nohp: string, instanceId?: string): Promise<number> {
    return this.told(await this.context.store.read(nohp, instanceId));
  }

  async play(id: string): Promise<number> {
    return this.told(await this.context.store.play(id));
  }

  async setOffline(nohp: string, offline: boolean): Promise<void> {
    await this.context.store.setOffline(nohp, offline);
    for (const engine of this.engines.values()) engine.wake();
  }

  async setFaults(faults: Partial<SimulatorFaults>): Promise<SimulatorFaults> {
    this.current = { ...this.current, ...faults };
    await this.context.store.saveFaults(this.current);
    return this.current;
  }

  private told(receipts: readonly { instanceID: string }[]): number {
    for (const instanceId of new Set(receipts.map(({ instanceID }) => instanceID)))
      this.engines.get(instanceId)?.wake();
    return receipts.length;
  }

  private compose(phone: Phone, { text, location, media, group }: CustomerMessage, at: number): NeutralMessage {
    const jid = `${phone.nohp}@s.whatsapp.net`;
    const kind = media ? kindOf(media) : 'chat';
    const words = media ? { media, caption: text } : { text, location };
    const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`;
    const raw = { key: { remoteJid: group ?? jid, fromMe: false, id }, pushName: phone.name };
    const where = group ? { chat: group, participant: jid } : { chat: jid };
    return { id, ...where, fromMe: false, name: phone.name, at, kind, ...words, raw };
  }
}
