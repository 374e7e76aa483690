import { isRefusedForEver } from '@platform/data';
import { retry, type Logger, type RetryOptions } from '@platform/runtime';
import type { EngineSink, NeutralMessage } from '../engine.types';
import type { Envelope } from './arrival.reader';
import { unwrapped } from './message.content';
import { hiddenOf, normalise, type Arrival, type MediaDescriptor } from './message.normaliser';
import type { StubHolder } from './stub.holder';

/**
 * A message without its text. Under an id of its own: the message itself may still come later, and must not find its place
 * taken.
 */
const stubOf = ({ id, chat, participant, fromMe, name, at, ...hidden }: Envelope, stub: string): NeutralMessage => {
  const key = { remoteJid: chat, fromMe, id, ...(participant ? { participant } : {}) };
  const raw = { key, pushName: name, stub, ...hiddenOf(hidden) };
  return { id: `${id}.stub`, chat, participant, fromMe, name, at, kind: 'chat', text: '', raw };
};

export interface ArrivalsOptions {
  readonly sink: EngineSink;
  readonly seal: (descriptor: MediaDescriptor) => string;
  readonly stubs: Pick<StubHolder, 'hold' | 'arrived'>;
  /** A vote on a poll of ours. */
  readonly vote: (arrival: Arrival) => Promise<void>;
  readonly retrying: RetryOptions;
  readonly logger: Logger;
}

/** Hands over what has arrived, as what it is: a message, a reaction, a vote, an event. */
export class Arrivals {
  constructor(private readonly options: ArrivalsOptions) {}

  /** Resolves when it is durable, or when it never can be: whoever waited for that would wait for ever, and all others with him. */
  async take(arrival: Arrival): Promise<void> {
    const { stubs, logger } = this.options;
    stubs.arrived(arrival.id);
    try {
      await this.handOver(arrival);
    } catch (cause) {
      if (!isRefusedForEver(cause)) throw cause;
      logger.error('the store will never take what arrived; it is passed over', { id: arrival.id, cause });
    }
  }

  /** One to be viewed once is told without its content, which never comes. Resolves when it is durable. */
  withheld(envelope: Envelope): Promise<void> {
    const { sink, retrying } = this.options;
    return retry(() => sink.message(stubOf(envelope, 'view_once')), retrying);
  }

  /** One that could not be decrypted is told without its text, unless it comes again in time. Never rejects. */
  undecrypted(envelope: Envelope, stub: string): Promise<void> {
    return this.options.stubs.hold(envelope.id, stubOf(envelope, stub));
  }

  private async handOver(arrival: Arrival): Promise<void> {
    const { sink, seal, retrying, vote } = this.options;
    if (unwrapped(arrival.content).pollUpdateMessage) return retry(() => vote(arrival), retrying);
    const { address: of } = arrival;
    const normalised = normalise(arrival, (descriptor) => seal(of ? { ...descriptor, of } : descriptor));
    if (normalised.kind === 'message') await retry(() => sink.message(normalised.message), retrying);
    if (normalised.kind === 'reaction') await retry(() => sink.reaction(normalised.reaction), retrying);
    if (normalised.kind === 'event') sink.event(normalised.name, normalised.payload);
  }
}
