import type { Capability } from '../engines/engine.types';
import type { ParityClient, ParityDriver, ParityPhone, ShownMessage } from './parity.driver';

/** A callback as the receiver took it: times masked, `rawMessage` reduced to what the gateway itself puts there. */
export interface HeardCallback {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file?: { readonly mimetype: string; readonly bytes: Buffer };
}

/** Where a case runs: a linked device, two people who have written to it, and everybody's ears. */
export interface ParityWorld {
  readonly driver: ParityDriver;
  readonly client: ParityClient;
  readonly instanceID: string;
  readonly budi: ParityPhone;
  readonly siti: ParityPhone;
  /** Waits for the condition; fails with the last value after the limit. */
  until<T>(value: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T>;
  /** POST /api/send-message to a number with these members of `data`; resolves to the id. */
  send(number: string, data: object, pesanId?: string): Promise<string>;
  /** POST /api/send-media as a form; resolves to the id. */
  sendMedia(number: string, type: string, bytes: Buffer, fields?: Readonly<Record<string, string>>): Promise<string>;
  /** The service's operation that no route reaches. */
  sendContact(number: string, contact: { name: string; phone: string }): Promise<string>;
  /** What the phone shows of this message, as soon as it does. */
  shown(phone: ParityPhone, id: string): Promise<ShownMessage>;
  /** The callback of this message, as soon as it was taken. */
  heard(id: string): Promise<HeardCallback>;
  /** How many callbacks there were of this message. */
  count(id: string): number;
  /** Waits until a text that is sent now has come through: whatever was on its way before has arrived as well. */
  settled(phone?: ParityPhone): Promise<void>;
  /** The statuses reported of a send so far, and `failed` for a failure. */
  statuses(id: string): string[];
  /** `rawMessage` of a send's reports, parsed, in order. */
  reports(id: string): unknown[];
  /** Payloads of a socket event, in the order heard; times masked. */
  events(name: string): Readonly<Record<string, unknown>>[];
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
}

export interface ParityCase {
  readonly name: string;
  /** Without all of these the engine need not pass. */
  readonly needs?: readonly Capability[];
  /** What an engine without them must do instead: usually answer 501. */
  readonly otherwise?: (world: ParityWorld, missing: Capability) => Promise<void>;
  readonly run: (world: ParityWorld) => Promise<void>;
}

export const jid = ({ number }: Pick<ParityPhone, 'number'>): string => `${number}@s.whatsapp.net`;

/** What every callback of a person's message says; a case adds what is particular. */
export const messageOf = (phone: ParityPhone, more: Readonly<Record<string, unknown>>) => ({
  instanceID: 'parity',
  result: 'true',
  report: 'false',
  number: jid(phone),
  fromMe: 'false',
  name: phone.name,
  timestamp: '<time>',
  rawMessage: {},
  ...more,
});

/** `otherwise` of a capability that a route asks for. */
export const answers501 =
  (request: (world: ParityWorld) => Promise<{ status: number; body: unknown }>) =>
  async (world: ParityWorld, missing: Capability): Promise<void> => {
    expect(await request(world)).toEqual({
      status: 501,
      body: {
        success: false,
        message: `engine does not support ${missing}`,
        error: { code: 'UNSUPPORTED', retryable: false, reason: expect.any(String) as string },
      },
    });
  };

/** A send-message of these members of `data`, as it is. */
export const sendMessage =
  (data: (world: ParityWorld) => object) =>
  (world: ParityWorld): Promise<{ status: number; body: unknown }> =>
    world.client.post('/api/send-message', {
      pesan_id: `parity-${Math.random()}`,
      role: 'agent',
      data: { instanceID: world.instanceID, number: world.budi.number, ...data(world) },
    });
