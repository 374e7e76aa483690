import type { Component } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { StatusChange } from '../engine.types';
import { composeCustomerMessage, type CustomerMessage } from './customer-message';
import { SimulatorEngine } from './simulator.engine';
import {
  noFaults,
  type ConversationLine,
  type Phone,
  type ShownMessage,
  type SimulatorFaults,
} from './simulator.store';
import type { SimulatorContext } from './simulator.traffic';

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
    if (!engine) throw refusals.deviceNotFound();
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
    const { store, groups, clock } = this.context;
    const instanceId = 'instanceId' in to ? to.instanceId : await store.instanceOf(to.nohp);
    const account = instanceId === undefined ? undefined : await store.linkedPhone(instanceId);
    if (instanceId === undefined || !account) {
      this.engine(instanceId ?? '');
      throw refusals.notConnected();
    }
    const phone = (await store.phone(from)) ?? (await store.savePhone(from));
    if (sent.group) await groups.ensure(sent.group, phone.nohp, [account.nohp]);
    const at = Math.floor(clock.now().getTime() / 1000);
    const held = composeCustomerMessage(phone, await this.withQuote(instanceId, sent), at);
    await store.hold(instanceId, phone.nohp, held);
    this.engines.get(instanceId)?.wake();
    return { id: held.id, instanceID: instanceId, number: held.chat, name: phone.name, timestamp: at };
  }

  /** WhatsApp tells the device of a level out of turn. */
  async tell(instanceId: string, change: Omit<StatusChange, 'at'>): Promise<void> {
    const at = Math.floor(this.context.clock.now().getTime() / 1000);
    await this.engine(instanceId).tell({ ...change, at });
  }

  inbox(nohp: string): Promise<ShownMessage[]> {
    return this.context.store.inbox(nohp);
  }

  conversation(nohp: string, instanceId: string): Promise<ConversationLine[]> {
    return this.context.store.conversation(nohp, instanceId);
  }

  async phone(nohp: string): Promise<Phone> {
    const phone = await this.context.store.phone(nohp);
    if (!phone) throw refusals.phoneNotFound();
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

  private async withQuote(instanceId: string, sent: CustomerMessage): Promise<CustomerMessage> {
    if (!('quoted' in sent) || !sent.quoted) return sent;
    const { id } = sent.quoted;
    return { ...sent, quoted: { id, text: await this.context.store.wordsOf(instanceId, id) } };
  }

  private told(receipts: readonly { instanceID: string }[]): number {
    for (const instanceId of new Set(receipts.map(({ instanceID }) => instanceID)))
      this.engines.get(instanceId)?.wake();
    return receipts.length;
  }
}
