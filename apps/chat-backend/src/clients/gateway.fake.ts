import type { GatewayAnswer, GatewayClient, GatewayDevice, OutgoingMessage, ReadReceipt } from './gateway.client';

/** Takes messages like the gateway: the same `pesan_id` again is the same message. Script its answers with `next`. */
export class FakeGateway implements GatewayClient {
  readonly calls: OutgoingMessage[] = [];
  readonly receipts: ReadReceipt[] = [];
  readonly receiptAnswers: GatewayAnswer[] = [];
  /** What it says of its devices. */
  readonly known: GatewayDevice[] = [];
  readonly next: GatewayAnswer[] = [];
  /** Keeps an answer back until it resolves: the send is under way meanwhile. */
  readonly held = new Map<string, Promise<unknown>>();
  private readonly ids = new Map<string, string>();

  async send(message: OutgoingMessage): Promise<GatewayAnswer> {
    this.calls.push(message);
    await this.held.get(message.pesanId);
    const scripted = this.next.shift();
    if (scripted) return scripted;
    const id = this.ids.get(message.pesanId) ?? `3EB0${this.ids.size.toString(16).toUpperCase().padStart(18, '0')}`;
    this.ids.set(message.pesanId, id);
    return { status: 200, message: 'success send message', accepted: { id } };
  }

  async markRead(receipt: ReadReceipt): Promise<GatewayAnswer> {
    this.receipts.push(receipt);
    return this.receiptAnswers.shift() ?? { status: 200, message: 'success mark read' };
  }

  async devices(): Promise<GatewayDevice[]> {
    return this.known;
  }
}
