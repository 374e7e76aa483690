import { generateSigningKey, signingKey, type SecretBox, type SigningKey } from '@platform/auth';
import type { RevokeEvent } from '@platform/contracts';
import type { Transaction } from '@platform/data';
import { Conflict, NotFound, Unavailable } from '@platform/errors';
import { outage, type Clock, type Component, type Logger, type Outage } from '@platform/runtime';
import type { SigningKeyEntity } from './signing-key.entity';
import type { SigningKeyRepository } from './signing-key.repository';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How soon a replica knows what another has done with the ring. */
const LOOK_MS = 5_000;
const FRESH_MS = 1_000;
/** The last second of the year 9999. What a key signs that others have may name any end. */
const NEVER = 253_402_300_799;
/** Verifiers cache the JWKS for 10 min, replicas read the ring in seconds: by then everybody knows the next key. */
export const PUBLISHED_BEFORE_USE_MS = 12 * MINUTE;
/** The longest token lifetime, the verifiers' skew, and a minute for slow replicas that still sign with it. */
export const VERIFIES_AFTER_USE_MS = 62 * MINUTE;

type Entities = Parameters<SigningKeyRepository['insert']>[0];

export interface KeyRingOptions {
  readonly repository: SigningKeyRepository;
  readonly box: SecretBox;
  readonly rotateDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells verifiers, in the same transaction. */
  readonly publish: (tx: Transaction, events: readonly RevokeEvent[]) => Promise<void>;
}

const named = ({ kid, state }: SigningKeyEntity): string => `${kid} (${state})`;

export const signingKeyPurpose = (kid: string): string => `signing_keys ${kid}`;

/**
 * The keys that sign tokens, in the states next -> current -> previous -> retired (design 3.1). The first boot creates one.
 * Every replica looks every five seconds; one of them promotes a key that is due.
 */
export class KeyRing implements Component {
  readonly name = 'keys';
  private keys: readonly SigningKeyEntity[] = [];
  private signing: SigningKey | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private lookedAt = -Infinity;
  private readonly reading: Outage;

  constructor(private readonly options: KeyRingOptions) {
    const texts = {
      failed: 'the key ring could not be read; the known keys stay in use',
      answered: 'the key ring is read again',
    };
    this.reading = outage(texts, options.logger);
  }

  async start(): Promise<void> {
    await this.turn();
    this.timer = setInterval(() => void this.freshen(), LOOK_MS).unref();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  check(): Promise<void> {
    return this.signing ? Promise.resolve() : Promise.reject(new Unavailable('there is no signing key yet'));
  }

  /** What the JWKS lists: verifiers must know the next key before it signs, and the previous one until its tokens end. */
  published = (): readonly SigningKeyEntity[] => this.keys;

  /** Throws `Unavailable` before the start. */
  current = (): SigningKey => {
    if (!this.signing) throw new Unavailable('there is no signing key yet');
    return this.signing;
  };

  /** Publishes a next key early, or tells when the one already published will sign. */
  async publishNext(): Promise<{ kid: string; signsFrom: Date }> {
    const { repository } = this.options;
    await this.turn();
    await repository.exclusively(async (keys, { entities }) => {
      if (!keys.some(({ state }) => state === 'next')) await this.create(entities, 'next');
    });
    await this.turn();
    const next = this.keys.find(({ state }) => state === 'next');
    if (!next) throw new Conflict('another key was published and signs already');
    return { kid: next.kid, signsFrom: new Date(next.stateSince.getTime() + PUBLISHED_BEFORE_USE_MS) };
  }

  /**
   * Takes a key out of use at once, with all that it has signed; another signs from now on. Resolves to that other key; throws `NotFound` for a key that is not in use.
   */
  async revoke(kid: string): Promise<{ current: string }> {
    const { repository, clock, logger, publish } = this.options;
    await repository.exclusively(async (keys, tx) => {
      const key = keys.find((one) => one.kid === kid);
      if (!key) throw new NotFound(`no key in use is called ${kid}; there are ${keys.map(named).join(', ')}`);
      await repository.move(tx.entities, kid, 'retired', clock.now());
      const next = keys.find(({ state }) => state === 'next');
      if (key.state === 'current' && next) await repository.move(tx.entities, next.kid, 'current', clock.now());
      if (key.state === 'current' && !next) await this.create(tx.entities, 'current');
      await publish(tx, [{ type: 'revoke', kid, exp: NEVER }]);
      logger.info('a signing key was taken out of use', { kid, state: key.state });
    });
    await this.turn();
    return { current: this.current().kid };
  }

  /** Reads the ring, unless it was read within the last second. Never rejects: the known keys stay in use. */
  freshen(): Promise<void> {
    if (performance.now() - this.lookedAt < FRESH_MS) return Promise.resolve();
    this.looking ??= this.turn()
      .then(this.reading.answered, (cause: unknown) => this.reading.failed({ cause }))
      .finally(() => {
        this.looking = undefined;
        this.lookedAt = performance.now();
      });
    return this.looking;
  }

  /** Promotes keys that are due, and reads the ring again. */
  async turn(): Promise<void> {
    const { repository } = this.options;
    let keys = await repository.live();
    if (this.isDue(keys)) {
      await repository.exclusively((held, tx) => this.moveOn(held, tx.entities));
      keys = await repository.live();
    }
    this.keys = keys;
    // One that was taken out of use signs no more, also where the next one cannot be opened: its secret is another, and a pod that has it serves
    if (!keys.some(({ kid }) => kid === this.signing?.kid)) this.signing = undefined;
    const current = keys.find(({ state }) => state === 'current');
    if (current && current.kid !== this.signing?.kid) this.signing = this.open(current);
  }

  private ageOf({ stateSince }: SigningKeyEntity): number {
    return this.options.clock.now().getTime() - stateSince.getTime();
  }

  private plan(keys: readonly SigningKeyEntity[]) {
    const [current, next] = ['current', 'next'].map((state) => keys.find((key) => key.state === state));
    const replaceable = next && this.ageOf(next) >= PUBLISHED_BEFORE_USE_MS ? next : undefined;
    return {
      current,
      makeNext: current !== undefined && !next && this.ageOf(current) >= this.options.rotateDays * DAY,
      promote: replaceable,
      retire: keys.filter((key) => key.state === 'previous' && this.ageOf(key) >= VERIFIES_AFTER_USE_MS),
    };
  }

  private isDue(keys: readonly SigningKeyEntity[]): boolean {
    const { current, makeNext, promote, retire } = this.plan(keys);
    return !current || makeNext || promote !== undefined || retire.length > 0;
  }

  private async moveOn(keys: readonly SigningKeyEntity[], entities: Entities): Promise<void> {
    const { repository, clock, logger } = this.options;
    const { current, makeNext, promote, retire } = this.plan(keys);
    const now = clock.now();
    for (const { kid } of retire) await repository.move(entities, kid, 'retired', now);
    if (!current) await this.create(entities, 'current');
    if (makeNext) await this.create(entities, 'next');
    if (!current || !promote) return;
    await repository.move(entities, current.kid, 'previous', now);
    await repository.move(entities, promote.kid, 'current', now);
    logger.info('the signing key was rotated', { kid: promote.kid, previous: current.kid });
  }

  private async create(entities: Entities, state: 'next' | 'current'): Promise<void> {
    const { repository, box, clock, logger } = this.options;
    const key = await generateSigningKey();
    const now = clock.now();
    const privateSealed = box.seal(key.exportPem(), signingKeyPurpose(key.kid));
    const { kid, publicJwk } = key;
    await repository.insert(entities, { kid, state, publicJwk, privateSealed, createdAt: now, stateSince: now });
    logger.info('a signing key was created', { kid, state });
  }

  private open({ kid, privateSealed }: SigningKeyEntity): SigningKey {
    if (!privateSealed) throw new Error(`the signing key ${kid} has no private part: it cannot be the current one`);
    return signingKey(this.options.box.open(privateSealed, signingKeyPurpose(kid)));
  }
}
