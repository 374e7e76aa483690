import { randomBytes } from 'node:crypto';
import type { Clock } from '@platform/runtime';
import type { QrInfo } from '../engine.types';

/** As WhatsApp does it: the first code lives 60 s, the next five 20 s each, then the round is over (design 3.1). */
const LIVES_MS = [60_000, 20_000, 20_000, 20_000, 20_000, 20_000];

export interface RoundEvents {
  code(info: QrInfo): void;
  expired(): void;
}

/** One round of codes, each replacing the one before. */
export class PairingRound {
  private timer: NodeJS.Timeout | undefined;
  private current: QrInfo | undefined;

  constructor(
    private readonly instanceId: string,
    private readonly withTypedCode: boolean,
    private readonly clock: Clock,
    private readonly events: RoundEvents,
  ) {}

  start(): void {
    this.next(1);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.current = undefined;
  }

  isCurrent(qr: string): boolean {
    return this.current?.qr === qr;
  }

  private next(attempt: number): void {
    const lifeMs = LIVES_MS[attempt - 1];
    if (lifeMs === undefined) {
      this.current = undefined;
      return this.events.expired();
    }
    this.current = {
      qr: `sim:link/${this.instanceId}/${randomBytes(12).toString('hex')}`,
      ...(this.withTypedCode ? { code: randomBytes(4).toString('hex').toUpperCase() } : {}),
      attempt,
      expiresAt: new Date(this.clock.now().getTime() + lifeMs),
    };
    this.timer = setTimeout(() => this.next(attempt + 1), lifeMs).unref();
    this.events.code(this.current);
  }
}
