import type { Database } from '@platform/data';
import type { Component, Logger } from '@platform/runtime';
import { CALLS, type MessagesRepository } from '../messages/public';
import type { Fleet } from './fleet';

/**
 * A send may be accepted by any process: it is written down, and the process that has the device is called. A call that gets
 * lost costs half a minute (`DeviceLine.pickUpForgotten`), and where nobody has the device, who takes it reads what waits.
 */
export class SendCalls implements Component {
  readonly name = 'calls for sends';
  private readonly waiting = new Map<string, string[]>();
  private unlisten = async (): Promise<void> => undefined;

  constructor(
    private readonly database: Pick<Database, 'listen'>,
    private readonly messages: Pick<MessagesRepository, 'call'>,
    private readonly fleet: Pick<Fleet, 'here'>,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.unlisten = await this.database.listen(CALLS, (call) => this.heard(call));
  }

  async stop(): Promise<void> {
    await this.unlisten();
  }

  /** The send is durable. Never rejects. */
  async call(instanceId: string, id: string): Promise<void> {
    const failed = (cause: unknown): void =>
      this.logger.warn('the process of a device was not called; its next sweep finds the send', {
        instance: instanceId,
        id,
        cause,
      });
    await this.messages.call(instanceId, id).catch(failed);
  }

  /** What is called while a device is being looked for goes with the next look. */
  private heard(call: string): void {
    const [instanceId = '', id = ''] = call.split(' ');
    const waiting = this.waiting.get(instanceId);
    if (waiting) return void waiting.push(id);
    this.waiting.set(instanceId, [id]);
    void this.fleet.here(instanceId).then((line) => {
      const ids = this.waiting.get(instanceId) ?? [];
      this.waiting.delete(instanceId);
      return line?.called(ids);
    });
  }
}
