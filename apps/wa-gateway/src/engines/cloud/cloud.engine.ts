import type { Readable } from 'node:stream';
import type { Clock } from '@platform/runtime';
import { EngineBusy, EngineOffline, EngineRefused, EngineUncertain, EngineUnsupported } from '../engine.errors';
import {
  capabilityNames,
  type Capabilities,
  type Capability,
  type DeviceSnapshot,
  type EngineLimits,
  type EngineSink,
  type EngineTraits,
  type Group,
  type Jid,
  type MediaRef,
  type MessageKey,
  type OutContent,
  type ParticipantResult,
  type SendOptions,
  type WaEngine,
} from '../engine.types';
import type { CloudAccount } from './cloud.account';
import { contentMember, recipientOf } from './cloud.content';
import { CloudInbox } from './cloud.inbox';
import { CloudLink, type CloudDevice, type LinkContext } from './cloud.link';
import type { CloudMedia, UploadFile } from './cloud.media';
import { CloudPace } from './cloud.pace';
import type { CloudMessages } from './cloud.store';
import { callVerdict, isSignedOut, sendVerdict } from './cloud.verdict';
import type { CloudValue } from './cloud.webhook.types';
import { GraphRefusal, GraphUnreachable } from './graph.client';

export interface CloudContext extends LinkContext {
  readonly media: CloudMedia;
  readonly store: CloudMessages;
  /** A file of ours, by its name under `/files`. */
  readonly fileOf: (ref: MediaRef) => Promise<UploadFile>;
  readonly clock: Clock;
}

/** Design 5.0: what Meta's API has not. */
const MISSING: Readonly<Partial<Record<Capability, string>>> = {
  qr: 'a number of the Cloud API is linked by its token',
  pairing_code: 'a number of the Cloud API is linked by its token',
  groups: 'groups of the Cloud API are not built',
  exists: 'the Cloud API has no such call',
  poll: 'the Cloud API has no polls',
  profile_pic: 'the Cloud API shows no pictures',
  mentions: 'the Cloud API has no mentions',
  edit_in: 'the Cloud API reports no edits',
};

const capabilities = Object.fromEntries(
  capabilityNames.map((name) => [name, MISSING[name] === undefined ? true : { reason: MISSING[name] }]),
) as Capabilities;

const PARALLEL_RECEIPTS = 8;
const KILOBYTE = 1024;
const limits: EngineLimits = {
  textLength: 4_096,
  mediaBytes: { image: 5 * KILOBYTE * KILOBYTE, sticker: 500 * KILOBYTE },
};
export const cloudTraits: EngineTraits = { kind: 'cloud', capabilities, limits };

/** A device on Meta's Cloud API (design 5.3): no line to hold, calls go out and webhooks come in. */
export class CloudEngine implements WaEngine {
  readonly kind = 'cloud';
  readonly capabilities = capabilities;
  readonly limits = limits;
  /** Meta knows no idempotency key. */
  readonly repeatable = false;
  private sink: EngineSink | undefined;
  private readonly link: CloudLink;
  private readonly pace: CloudPace;
  private readonly inbox: CloudInbox;

  constructor(
    private readonly device: CloudDevice,
    private readonly context: CloudContext,
  ) {
    this.link = new CloudLink(device, context);
    this.pace = new CloudPace(context.clock);
    this.inbox = new CloudInbox(device.instanceId, context.store, context.clock);
  }

  async start(sink: EngineSink): Promise<void> {
    this.sink = sink;
    this.link.start(sink);
  }

  stop(): Promise<void> {
    return this.link.stop();
  }

  async logout(): Promise<void> {
    this.link.isLinked = false;
    // A check in flight would connect it again
    await this.link.stop();
    await this.context.store.forgetAccount(this.device.instanceId);
    await this.sink?.state('logged_out');
  }

  pair(): Promise<void> {
    return this.link.pair();
  }

  info(): DeviceSnapshot {
    return this.link.info();
  }

  async send(to: Jid, content: OutContent, options: SendOptions): Promise<{ waId: string }> {
    const account = this.account();
    if (this.pace.heldMs > 0) throw new EngineBusy(this.pace.heldMs, 'Meta asked this number to slow down');
    try {
      const request = await this.request(account, to, content, options);
      const path = `/${account.numberId}/messages`;
      const answer = await this.context.graph.call<{ messages?: { id?: string }[] }>(account.token, path, request);
      this.pace.went(to);
      const waId = answer.messages?.[0]?.id;
      if (!waId) throw new EngineUncertain('Meta named no id');
      return { waId };
    } catch (cause) {
      if (isSignedOut(cause)) await this.link.signedOut(cause);
      if (cause instanceof GraphUnreachable) await this.link.lost();
      throw sendVerdict(cause, to, this.pace);
    }
  }

  fetchMedia({ key }: MediaRef, signal: AbortSignal): Promise<Readable> {
    const { account } = this.device;
    if (!account) throw new EngineOffline('the account was logged out');
    return this.context.media.download(account, key, signal);
  }

  async markRead(keys: readonly MessageKey[]): Promise<void> {
    for (let at = 0; at < keys.length; at += PARALLEL_RECEIPTS)
      await Promise.all(keys.slice(at, at + PARALLEL_RECEIPTS).map(({ id }) => this.receipt(id)));
  }

  /** Meta shows typing as the answer to a message and ends it by itself; without a message there is nothing to answer. */
  async typing(to: Jid, on: boolean): Promise<void> {
    const id = on ? await this.context.store.lastInbound(this.device.instanceId, to) : undefined;
    if (id !== undefined) await this.receipt(id, { typing_indicator: { type: 'text' } });
  }

  /** What a webhook brought, durable when it resolves. */
  async receive(values: readonly CloudValue[]): Promise<void> {
    if (!this.sink) throw new EngineOffline('the device is not started');
    await this.inbox.take(values, this.sink);
  }

  async exists(): Promise<ReadonlyMap<Jid, boolean>> {
    throw new EngineUnsupported('exists');
  }
  async profilePicture(): Promise<string | undefined> {
    throw new EngineUnsupported('profile_pic');
  }
  async groupCreate(): Promise<{ group: Group; results: ParticipantResult[] }> {
    throw new EngineUnsupported('groups');
  }
  async groupInfo(): Promise<Group | undefined> {
    throw new EngineUnsupported('groups');
  }
  async groupParticipants(): Promise<ParticipantResult[] | undefined> {
    throw new EngineUnsupported('groups');
  }

  private account(): CloudAccount {
    const { account } = this.device;
    if (!account || !this.link.isLinked) throw new EngineOffline('the device is not connected');
    return account;
  }

  /** Nothing has been sent while this runs: its failures never leave a doubt about the message. */
  private async request(account: CloudAccount, to: Jid, content: OutContent, options: SendOptions): Promise<object> {
    try {
      const { store } = this.context;
      const { id, quotedId } = options;
      const member = await this.memberOf(account, content);
      const context = quotedId && { message_id: await store.waIdOf(this.device.instanceId, quotedId) };
      const body = { messaging_product: 'whatsapp', recipient_type: 'individual', ...recipientOf(to), ...member };
      return { ...body, ...(context ? { context } : {}), biz_opaque_callback_data: id };
    } catch (cause) {
      const isClear =
        cause instanceof EngineRefused || cause instanceof GraphRefusal || cause instanceof GraphUnreachable;
      throw isClear ? cause : new EngineBusy(this.pace.numberLimited(), `not sent: ${String(cause)}`);
    }
  }

  private async memberOf(account: CloudAccount, content: OutContent): Promise<object> {
    const { media, fileOf, store } = this.context;
    if (content.kind === 'reaction')
      return contentMember(content, { target: await store.waIdOf(this.device.instanceId, content.id) });
    if (!('media' in content)) return contentMember(content, {});
    return contentMember(content, { mediaId: await media.upload(account, await fileOf(content.media)) });
  }

  private async receipt(messageId: string, more: object = {}): Promise<void> {
    const { numberId, token } = this.account();
    const request = { messaging_product: 'whatsapp', status: 'read', message_id: messageId, ...more };
    await this.context.graph.call(token, `/${numberId}/messages`, request).catch(async (cause: unknown) => {
      if (isSignedOut(cause)) await this.link.signedOut(cause);
      throw callVerdict(cause);
    });
  }
}
