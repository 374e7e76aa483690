import type { DeviceCalls } from '../devices/public';
import type { MarkRead, MarkReadData, Typing, TypingData } from './receipts.dto';
import type { ReceiptsRepository } from './receipts.repository';

/** What customers see besides messages: blue ticks and the typing indicator (design 2.3). */
export class ReceiptsService {
  constructor(
    private readonly calls: DeviceCalls,
    private readonly receipts: ReceiptsRepository,
  ) {}

  /** Marks only messages that arrived here: WhatsApp would not know the writer of others. */
  async markRead(body: MarkRead): Promise<MarkReadData> {
    const number = this.calls.jid(body.number, 'number');
    return this.calls.outward(body, 'mark_read', async ({ instanceId, engine }) => {
      const keys = await this.receipts.inbound(instanceId, number, body.ids);
      if (keys.length > 0) await engine.markRead(keys);
      // Afterwards: a receipt that did not leave is still to be sent
      await this.receipts.markRead(instanceId, keys);
      return { number, count: keys.length };
    });
  }

  async typing(body: Typing): Promise<TypingData> {
    const number = this.calls.jid(body.number, 'number');
    return this.calls.outward(body, 'typing', async ({ engine }) => {
      await engine.typing(number, body.on);
      return { number, on: body.on };
    });
  }
}
