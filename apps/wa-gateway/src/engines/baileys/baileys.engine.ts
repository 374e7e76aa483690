import type { Readable } from 'node:stream';
import { parseCallbackNumber } from '@platform/contracts';
import type { WASocket } from 'baileys';
import { EngineOffline, EngineRefused } from '../engine.errors';
import {
  capabilityNames,
  type Capabilities,
  type DeviceSnapshot,
  type EngineSink,
  type EngineTraits,
  type GroupAction,
  type Jid,
  type MediaRef,
  type MessageKey,
  type OutContent,
  type SendOptions,
  type WaEngine,
} from '../engine.types';
import type { BaileysContext, BaileysDevice } from './baileys.context';
import { BaileysLine } from './baileys.line';
import type { Reupload } from './device.media';
import { bare } from './people';

const capabilities = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Capabilities;
export const baileysTraits: EngineTraits = { kind: 'baileys', capabilities, holdsConnection: true };

const PICTURE_LIMIT_MS = 5_000;

/** WhatsApp's own protocol knows no other ids than its own. Throws `EngineRefused`. */
const demandNamed = (to: Jid): void => {
  if (parseCallbackNumber(to)?.kind === 'bsuid')
    throw new EngineRefused('WA_NUMBER', 'a business-scoped id is known to the Cloud API only');
};

/** A device on WhatsApp's multi-device protocol, by the unmodified Baileys client (design 5.1). */
export class BaileysEngine implements WaEngine {
  readonly kind = 'baileys';
  readonly capabilities = capabilities;
  readonly repeatable = true;
  private line: BaileysLine | undefined;

  constructor(
    private readonly device: BaileysDevice,
    private readonly context: BaileysContext,
  ) {}

  async start(sink: EngineSink): Promise<void> {
    this.line = await BaileysLine.create(this.device, this.context, sink);
    await this.line.start(this.connectsAfterMs());
  }

  async stop(): Promise<void> {
    await this.line?.stop();
  }

  async logout(): Promise<void> {
    await this.line?.connection.logout();
  }

  async pair(phone?: Jid): Promise<void> {
    await this.line?.connection.pair(phone);
  }

  info(): DeviceSnapshot {
    const { me, platform } = this.line?.connection.account ?? {};
    if (!me) return { linked: false };
    return { linked: true, number: bare(me.id), pushName: me.name, platform };
  }

  async send(to: Jid, content: OutContent, options: SendOptions): Promise<{ waId: string }> {
    const { line, socket } = this.online();
    demandNamed(to);
    await line.outgoing.send(socket, to, content, options);
    return { waId: options.id };
  }

  fetchMedia(ref: MediaRef, signal: AbortSignal): Promise<Readable> {
    const reupload: Reupload = async (descriptor, until) => {
      const { line, socket } = this.online();
      return line.reuploads.ask(socket, descriptor, until);
    };
    return this.context.media.fetch({ instanceId: this.device.instanceId, reupload }, ref, signal);
  }

  async exists(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, boolean>> {
    const { socket } = this.online();
    const answers = (await socket.onWhatsApp(...numbers)) ?? [];
    const known = new Set(answers.filter(({ exists }) => exists).map(({ jid }) => bare(jid)));
    return new Map(numbers.map((number) => [number, known.has(number)]));
  }

  async markRead(keys: readonly MessageKey[]): Promise<void> {
    const { socket } = this.online();
    await socket.readMessages(
      keys.map(({ id, chat: remoteJid, participant }) => ({ id, remoteJid, participant, fromMe: false })),
    );
  }

  async typing(to: Jid, on: boolean): Promise<void> {
    const { socket } = this.online();
    demandNamed(to);
    await socket.sendPresenceUpdate(on ? 'composing' : 'paused', to);
  }

  /** Undefined also when WhatsApp does not answer: a picture is never worth a failure. */
  async profilePicture(of: Jid): Promise<string | undefined> {
    const { socket } = this.online();
    return socket.profilePictureUrl(of, 'preview', PICTURE_LIMIT_MS).catch(() => undefined);
  }

  groupCreate(name: string, participants: readonly Jid[]) {
    const { line, socket } = this.online();
    return line.groups.create(socket, name, participants);
  }

  async groupInfo(id: Jid) {
    const { line, socket } = this.online();
    return line.groups.info(socket, id);
  }

  async groupParticipants(id: Jid, action: GroupAction, participants: readonly Jid[]) {
    const { line, socket } = this.online();
    return line.groups.change(socket, id, action, participants);
  }

  /**
   * One that was replaced stays away until somebody wants it back (design 3.1); one that is banned has an account only when
   * the ban ends, and comes back then.
   */
  private connectsAfterMs(): number | undefined {
    const { status, restrictedUntil } = this.device;
    if (status === 'replaced') return undefined;
    if (status !== 'banned' || !restrictedUntil) return 0;
    return Math.max(0, restrictedUntil.getTime() - this.context.clock.now().getTime());
  }

  private online(): { line: BaileysLine; socket: WASocket } {
    const { line } = this;
    const socket = line?.connection.socket;
    if (!line || !socket) throw new EngineOffline('the device is not connected');
    return { line, socket };
  }
}
