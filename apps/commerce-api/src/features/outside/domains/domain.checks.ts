import type { Database, Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { DnsUnavailable, type DnsRecords } from '../../../clients/dns.records';
import type { CommerceJobs, Queue } from '../../../jobs';
import { notify } from '../../../notify';
import { claimHost, domainById, proofName, releaseHost, type DomainRow } from './domains.sql';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So long records may be missing before a domain has failed. */
const PATIENCE_MS = 72 * HOUR_MS;
const PORTION = 10;
const ROUND = 500;

export const DUE_DOMAINS = `
  SELECT due.store_id, due.id FROM store s CROSS JOIN LATERAL (
    SELECT d.store_id, d.id, d.next_at FROM domain_binding d
    WHERE d.store_id = s.store_id AND d.next_at <= $1 ORDER BY d.next_at LIMIT ${PORTION}) due
  ORDER BY due.next_at LIMIT ${ROUND}`;

const WRITE = `
  UPDATE domain_binding SET status = $3, failure = $4, txt_found = $5, target_found = $6, missing_since = $7, next_at = $8,
    checked_at = $9, verified_at = CASE WHEN $3 = 'active' AND status <> 'active' THEN $9 ELSE verified_at END, updated_at = $9
  WHERE store_id = $1 AND id = $2`;
const POSTPONE = 'UPDATE domain_binding SET next_at = $3 WHERE store_id = $1 AND id = $2 AND next_at IS NOT NULL';

const NEVER_SEEN = `
  UPDATE domain_binding SET status = 'failed', failure = 'not_verified', next_at = NULL, updated_at = $3
  WHERE store_id = $1 AND id = $2`;

/** What stands in the DNS. */
interface Seen {
  readonly txt: boolean;
  readonly target: boolean;
}

type Verdict = Pick<DomainRow, 'status' | 'failure' | 'missing_since'> & { readonly nextMs: number | null };

/** The longer somebody has been at it, the seldomer. */
const pauseOf = (age: number): number => {
  if (age < HOUR_MS) return 5 * MINUTE_MS;
  return age < 24 * HOUR_MS ? 30 * MINUTE_MS : 2 * HOUR_MS;
};

/** What becomes of a domain whose records are not as they should be. */
const missing = ({ status, missing_since, created_at }: DomainRow, now: Date): Verdict => {
  const since = missing_since ?? (status === 'pending' ? created_at : now);
  const age = now.getTime() - since.getTime();
  if (age >= PATIENCE_MS || status === 'failed') {
    const failure = status === 'active' ? 'records_gone' : 'not_verified';
    return { status: 'failed', failure, missing_since: since, nextMs: null };
  }
  return { status, failure: null, missing_since: since, nextMs: pauseOf(age) };
};

const PROVED: Verdict = { status: 'active', failure: null, missing_since: null, nextMs: 24 * HOUR_MS };

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly dns: DnsRecords;
  /** Where merchants' hosts point. */
  readonly target: string;
}

type Task = CommerceJobs['domain.verify'];

/** Looks in the DNS whether a host is the store's and leads here: while it is new, and once a day for as long as it is used. */
export class DomainChecks {
  constructor(private readonly parts: Parts) {}

  /** Does `domain.verify`. While no name server answers nothing is said of a domain, but one that is new does not wait for it for ever. */
  async verify({ storeId, id }: Task): Promise<void> {
    const { database } = this.parts;
    try {
      await this.check(storeId, id);
    } catch (failure) {
      if (failure instanceof NotFound) return;
      if (!(failure instanceof DnsUnavailable)) throw failure;
      await database.tx((tx) => this.postpone(tx, storeId, id));
    }
  }

  /** Does `domain.due`. */
  async due(): Promise<void> {
    const { database, clock, queue } = this.parts;
    const due = await database.query<{ store_id: string; id: string }>(DUE_DOMAINS, [clock.now()]);
    for (const { store_id: storeId, id } of due)
      await queue.enqueue(database, 'domain.verify', { storeId, id }, { key: `domain:${id}` });
  }

  /** Looks now. Throws `NotFound`, and `DnsUnavailable` when nobody can tell. */
  async check(storeId: string, id: string): Promise<DomainRow> {
    const { database } = this.parts;
    const { host, txt_token: token } = await domainById(database, storeId, id);
    const seen = await this.look(host, token);
    return database.tx((tx) => this.write(tx, storeId, id, seen));
  }

  private async postpone(tx: Transaction, storeId: string, id: string): Promise<void> {
    const now = this.parts.clock.now();
    const row = await domainById(tx, storeId, id, 'FOR UPDATE');
    if (row.status === 'pending' && missing(row, now).status === 'failed') {
      await tx.query(NEVER_SEEN, [storeId, id, now]);
      return this.tellFailed(tx, storeId, row);
    }
    await tx.query(POSTPONE, [storeId, id, new Date(now.getTime() + 5 * MINUTE_MS)]);
  }

  private async look(host: string, token: string): Promise<Seen> {
    const { dns, target } = this.parts;
    const [texts, aliases] = await Promise.all([dns.txt(proofName(host)), dns.cname(host)]);
    return { txt: texts.includes(token), target: aliases.includes(target) || (await this.sharesAddress(host)) };
  }

  /** An alias of a whole domain, which cannot have a CNAME, is told as the addresses of its target. */
  private async sharesAddress(host: string): Promise<boolean> {
    const { dns, target } = this.parts;
    const [theirs, ours] = await Promise.all([dns.addresses(host), dns.addresses(target)]);
    return theirs.length > 0 && theirs.every((address) => ours.includes(address));
  }

  private async write(tx: Transaction, storeId: string, id: string, seen: Seen): Promise<DomainRow> {
    const now = this.parts.clock.now();
    const row = await domainById(tx, storeId, id, 'FOR UPDATE');
    const verdict = await this.verdictOf(tx, storeId, row, seen);
    const { status, failure, missing_since, nextMs } = verdict;
    const nextAt = nextMs === null ? null : new Date(now.getTime() + nextMs);
    await tx.query(WRITE, [storeId, id, status, failure, seen.txt, seen.target, missing_since, nextAt, now]);
    if (status === 'failed' && row.status !== 'failed') await this.tellFailed(tx, storeId, row);
    return domainById(tx, storeId, id);
  }

  private async verdictOf(tx: Transaction, storeId: string, row: DomainRow, { txt, target }: Seen): Promise<Verdict> {
    const now = this.parts.clock.now();
    if (!txt || !target) return missing(row, now);
    if (await claimHost(tx, storeId, row)) return PROVED;
    return { status: 'failed', failure: 'host_taken', missing_since: now, nextMs: null };
  }

  /** From here on somebody else can have the host. */
  private async tellFailed(tx: Transaction, storeId: string, row: DomainRow): Promise<void> {
    await releaseHost(tx, storeId, row);
    const id = `${row.id}:${this.parts.clock.now().getTime()}`;
    await notify(tx, { storeId, id, event: 'domain.failed', params: { host: row.host }, url: '/domains' });
  }
}
