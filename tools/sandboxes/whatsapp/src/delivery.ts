import type { FaultBook } from './fault.book';
import { SERVER_JID } from './jid';
import type { BinaryNode } from './library';
import type { Device, HeldMessage } from './network';
import { element } from './node.reader';

const damaged = (node: BinaryNode): BinaryNode => {
  if (!Array.isArray(node.content)) return node;
  const content = node.content.map((child) => {
    if (child.tag !== 'enc' || !(child.content instanceof Uint8Array)) return child;
    const bytes = Buffer.from(child.content);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 0xff;
    return { ...child, content: bytes };
  });
  return { ...node, content };
};

/** Delivers stanzas to devices. A message is held until its receipt and redelivered at the next login (`offline`). */
export class Delivery {
  private readonly late = new Set<NodeJS.Timeout>();

  constructor(private readonly faults: FaultBook) {}

  message(device: Device, node: BinaryNode): void {
    const key = `${node.attrs.id}|${node.attrs.from}|${node.attrs.participant}`;
    const held: HeldMessage = { id: node.attrs.id ?? '', node };
    device.held.set(key, held);
    if (device.connection && !this.faults.of(device.account.number).hold) this.sendHeld(device, held);
  }

  /** Sends a receipt or notification; for an offline device, keeps it until the next login. */
  notice(device: Device, node: BinaryNode): void {
    if (device.connection) this.send(device, node);
    else device.notices.push(node);
  }

  /** Sends a stanza such as presence, which an offline device never gets. */
  send(device: Device, node: BinaryNode): void {
    const { connection } = device;
    const { delayMs } = this.faults.of(device.account.number);
    if (!delayMs) {
      connection?.send(node);
      return;
    }
    const timer = setTimeout(() => {
      this.late.delete(timer);
      connection?.send(node);
    }, delayMs);
    this.late.add(timer);
  }

  release(device: Device, ids: readonly string[]): void {
    for (const [key, { id }] of device.held) if (ids.includes(id)) device.held.delete(key);
  }

  /** Sends all waiting stanzas in order, then their number. */
  login(device: Device): void {
    const messages = this.faults.of(device.account.number).hold ? [] : [...device.held.values()];
    const notices = device.notices.splice(0);
    for (const held of messages) this.sendHeld(device, held, true);
    for (const node of notices) this.send(device, { ...node, attrs: { ...node.attrs, offline: '1' } });
    const count = String(messages.length + notices.length);
    this.send(device, element('ib', { from: SERVER_JID }, [element('offline', { count })]));
  }

  /** Sends the messages that `hold` kept back. */
  resume(device: Device): void {
    if (!device.connection || this.faults.of(device.account.number).hold) return;
    for (const held of device.held.values()) if (held.sentOn !== device.connection) this.sendHeld(device, held);
  }

  stop(): void {
    for (const timer of this.late) clearTimeout(timer);
    this.late.clear();
  }

  private sendHeld(device: Device, held: HeldMessage, offline = false): void {
    held.sentOn = device.connection;
    const { number } = device.account;
    const whole = offline ? { ...held.node, attrs: { ...held.node.attrs, offline: '1' } } : held.node;
    const node = this.faults.takeGarble(number) ? damaged(whole) : whole;
    this.send(device, node);
    if (this.faults.of(number).dup) this.send(device, node);
  }
}
