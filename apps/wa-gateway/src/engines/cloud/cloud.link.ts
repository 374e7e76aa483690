import { setTimeout as pause } from 'node:timers/promises';
import { jidOf, parseAddress } from '@platform/contracts';
import type { Logger, Semaphore } from '@platform/runtime';
import type { DeviceSnapshot, DeviceState, EngineSink } from '../engine.types';
import type { CloudAccount } from './cloud.account';
import { isPassing } from './cloud.verdict';
import { GraphRefusal, type GraphClient } from './graph.client';

export interface CloudDevice {
  readonly instanceId: string;
  readonly status: DeviceState;
  /** Absent after a logout. */
  readonly account: CloudAccount | undefined;
}

export interface LinkContext {
  readonly graph: GraphClient;
  readonly logger: Logger;
  /** In the background: `gate` so that a start is no storm, `againMs` before a second look (1 s unless given; it doubles). */
  readonly looks: { readonly gate: Pick<Semaphore, 'run'>; readonly againMs?: number };
}

interface NumberAnswer {
  readonly display_phone_number?: string;
  readonly verified_name?: string;
}

const LINKED: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'reconnecting']);
const LOOK_AGAIN_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Whether Meta knows the number and takes the token: one look, created → connected (design 3.1). There is no line to hold. */
export class CloudLink {
  isLinked: boolean;
  private sink: EngineSink | undefined;
  private number: NumberAnswer = {};
  private readonly ending = new AbortController();
  private looking: Promise<void> | undefined;

  constructor(
    private readonly device: CloudDevice,
    private readonly context: LinkContext,
  ) {
    this.isLinked = LINKED.has(device.status);
  }

  /** A device that was linked looks again in the background: sends wait until Meta answers. */
  start(sink: EngineSink): void {
    this.sink = sink;
    if (this.isLinked || this.device.status === 'connecting') this.looking = this.lookOften(false);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.looking;
  }

  /** Resolves after the first look; when nobody answered, the next ones follow in the background. */
  async pair(): Promise<void> {
    if (this.isLinked || this.looking) return;
    await this.sink?.state('connecting');
    if (!(await this.look())) this.looking = this.lookOften(true);
  }

  info(): DeviceSnapshot {
    if (!this.isLinked) return { linked: false };
    const { display_phone_number: shown = '', verified_name: pushName } = this.number;
    const address = parseAddress(shown);
    return { linked: true, ...(address ? { number: jidOf(address) } : {}), pushName, platform: 'cloud' };
  }

  /** Meta does not answer: sends wait until it does. Never rejects. */
  async lost(): Promise<void> {
    if (this.looking || this.ending.signal.aborted) return;
    this.looking = this.lookOften(true);
    await this.sink?.state('reconnecting', 'Meta cannot be reached').catch((cause: unknown) => this.unstored(cause));
  }

  /** Meta does not take the token, or not any more. Never rejects: what could not be stored is found out once more. */
  async signedOut(refusal: GraphRefusal): Promise<void> {
    await this.signOut(refusal).catch((cause: unknown) => {
      this.unstored(cause);
      this.looking ??= this.lookOften(true);
    });
  }

  private async signOut({ code, message }: GraphRefusal): Promise<void> {
    this.isLinked = false;
    await this.sink?.state('logged_out', `${code} ${message}`);
  }

  private unstored(cause: unknown): void {
    this.context.logger.warn('the state of the number was not stored', { instance: this.device.instanceId, cause });
  }

  /** True when the question is settled, either way. */
  private async look(): Promise<boolean> {
    const { account, instanceId } = this.device;
    try {
      if (!account) throw new GraphRefusal(401, 190, 'the device has no account any more');
      const path = `/${account.numberId}?fields=display_phone_number,verified_name`;
      this.number = await this.context.graph.call<NumberAnswer>(account.token, path, undefined, this.ending.signal);
      this.isLinked = true;
      await this.sink?.state('connected');
      return true;
    } catch (cause) {
      const isFinal = cause instanceof GraphRefusal && !isPassing(cause);
      if (isFinal) await this.signOut(cause);
      else if (!this.ending.signal.aborted)
        this.context.logger.warn('the number could not be looked up', { instance: instanceId, cause });
      return isFinal;
    }
  }

  /** A look whose outcome could not be stored settles nothing: the store may be away as well. */
  private async settles(): Promise<boolean> {
    try {
      if (await this.look()) return true;
      if (this.isLinked && !this.ending.signal.aborted) await this.sink?.state('reconnecting');
    } catch (cause) {
      this.unstored(cause);
    }
    return false;
  }

  private async lookOften(later: boolean): Promise<void> {
    const { signal } = this.ending;
    const { gate, againMs: first = LOOK_AGAIN_MS } = this.context.looks;
    try {
      if (later) await pause(first, undefined, { signal });
      for (let next = first; !(await gate.run(() => this.settles())); next = Math.min(LONGEST_PAUSE_MS, next * 2))
        await pause(next, undefined, { signal });
    } catch (cause) {
      if (!signal.aborted) this.context.logger.error('the number is no longer looked up', { cause });
    } finally {
      this.looking = undefined;
    }
  }
}
