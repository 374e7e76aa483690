import type { WASocket } from 'baileys';
import { nohpOf, parseCallbackNumber } from '@platform/contracts';
import type { Clock, Logger } from '@platform/runtime';
import type { Jid, QrInfo } from '../engine.types';

const FIRST_CODE_MS = 60_000;
const CODE_MS = 20_000;

interface Round {
  phone?: Jid;
  code?: string;
  qr?: string;
  attempt: number;
  /** WhatsApp is being asked for `code`. A second question would make the answer to the first one worthless. */
  isAsking?: boolean;
}

/** A round of linking: offers the codes that WhatsApp shows, to be scanned or to be typed on a phone. */
export class Pairing {
  private round: Round | undefined;

  constructor(
    private readonly tell: (info: QrInfo) => void,
    /** 60 s for the first, then 20 s, when left out. */
    private readonly codeLifeMs: number | undefined,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  get isUnderWay(): boolean {
    return this.round !== undefined;
  }

  begin(phone: Jid | undefined): void {
    this.round = { phone, attempt: 0 };
  }

  end(): void {
    this.round = undefined;
  }

  /** WhatsApp has a new code. */
  codeShown(qr: string, socket: WASocket | undefined): void {
    const round = (this.round ??= { attempt: 0 });
    round.attempt += 1;
    round.qr = qr;
    if (round.phone && !round.code && !round.isAsking) void this.offerTypedCode(round.phone, socket);
    else this.offer(round);
  }

  /** Beside the code to scan, one that is typed on this phone; as soon as WhatsApp shows codes. */
  async offerTypedCode(phone: Jid | undefined, socket: WASocket | undefined): Promise<void> {
    const { round } = this;
    const address = phone === undefined ? undefined : parseCallbackNumber(phone);
    if (!round || !address || round.code || round.isAsking) return;
    round.phone = phone;
    if (!socket || round.qr === undefined) return;
    round.isAsking = true;
    try {
      round.code = await socket.requestPairingCode(nohpOf(address));
    } catch (cause) {
      this.logger.warn('WhatsApp gave no pairing code', { cause });
    } finally {
      round.isAsking = false;
    }
    this.offer(round);
  }

  private offer({ qr, code, attempt }: Round): void {
    const life = this.codeLifeMs ?? (attempt === 1 ? FIRST_CODE_MS : CODE_MS);
    const expiresAt = new Date(this.clock.now().getTime() + life);
    if (qr !== undefined) this.tell({ qr, attempt, expiresAt, ...(code ? { code } : {}) });
  }
}
