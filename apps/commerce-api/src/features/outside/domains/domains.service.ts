import { isUniqueViolation, type Database, type Sql, type Transaction } from '@platform/data';
import { Conflict, InvalidInput, UpstreamFailed, type Failure } from '@platform/errors';
import { randomHex, uuidv7 } from '@platform/runtime';
import { DnsUnavailable } from '../../../clients/dns.records';
import { audited, type Writer } from '../../../by';
import type { DomainChecks } from './domain.checks';
import type { Domain, NewDomain } from './domains.dto';
import { domainById, domainsOf, releaseHost, shownDomain } from './domains.sql';
import { faultOfHost, plainHost } from './host.rules';

const MOST = 20;

export const domainRefusals = {
  taken: (): Failure => new Conflict('The host belongs to a shop already', { code: 'host_taken' }),
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST} domains`, { code: 'too_many_domains' }),
} as const;

const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('domains ' || $1, 0))`;
const COUNT = 'SELECT count(*)::int AS domains FROM domain_binding WHERE store_id = $1';
const CLAIMED = `SELECT FROM global_key WHERE kind = 'host' AND value = $1`;
const INSERT = `
  INSERT INTO domain_binding (store_id, id, host, txt_token, missing_since, next_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $5::timestamptz + interval '5 minutes', $5, $5)`;
/** One that has failed gets its time anew when somebody asks for another look. */
const REVIVE = `
  UPDATE domain_binding SET status = 'pending', failure = NULL, missing_since = $3, next_at = $3
  WHERE store_id = $1 AND id = $2 AND status = 'failed'`;
const DELETE = 'DELETE FROM domain_binding WHERE store_id = $1 AND id = $2';

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly checks: DomainChecks;
  readonly target: string;
  /** Domains of the platform, which no store has. */
  readonly ours: readonly string[];
}

const unavailable = (failure: unknown): never => {
  if (failure instanceof DnsUnavailable) throw new UpstreamFailed('The name servers do not answer', { cause: failure });
  throw failure;
};

/** The own domains of stores. Several may add one host: whoever proves it first has it (ADR 140). */
export class DomainsService {
  constructor(private readonly parts: Parts) {}

  async list(storeId: string): Promise<Domain[]> {
    const { database, target } = this.parts;
    return (await domainsOf(database, storeId)).map((row) => shownDomain(row, target));
  }

  /** Throws `NotFound`, also for one of another store. */
  async get(storeId: string, id: string): Promise<Domain> {
    return shownDomain(await domainById(this.parts.database, storeId, id), this.parts.target);
  }

  /** Throws `InvalidInput` for what cannot be a store's, and `Conflict` for what is one's already. */
  async add(by: Writer, { host: given }: NewDomain): Promise<Domain> {
    const fault = faultOfHost(given, this.parts.ours);
    const host = plainHost(given);
    if (fault !== undefined || host === undefined)
      throw new InvalidInput([{ field: 'host', tag: 'host', message: `host ${fault}` }]);
    const id = uuidv7();
    await this.parts.database.tx((tx) => this.insert(tx, by, { id, host })).catch(takenIfThere);
    return this.get(by.storeId, id);
  }

  /** Looks in the DNS now. Throws `UpstreamFailed` when no name server answers. */
  async verify(by: Writer, id: string): Promise<Domain> {
    const { database, checks, target } = this.parts;
    await database.query(REVIVE, [by.storeId, id, by.at]);
    return shownDomain(await checks.check(by.storeId, id).catch(unavailable), target);
  }

  async remove(by: Writer, id: string): Promise<void> {
    await this.parts.database.tx(async (tx) => {
      const row = await domainById(tx, by.storeId, id, 'FOR UPDATE');
      await releaseHost(tx, by.storeId, row);
      await tx.query(DELETE, [by.storeId, id]);
      await audited(tx, by, { action: 'domain.write', type: 'domain', id, before: { host: row.host } });
    });
  }

  private async insert(tx: Transaction, by: Writer, { id, host }: { id: string; host: string }): Promise<void> {
    await tx.query(LOCK, [by.storeId]);
    const [row] = await tx.query<{ domains: number }>(COUNT, [by.storeId]);
    if ((row?.domains ?? 0) >= MOST) throw domainRefusals.tooMany();
    if ((await tx.query(CLAIMED, [host])).length > 0) throw domainRefusals.taken();
    await tx.query(INSERT, [by.storeId, id, host, `verify-${randomHex(16)}`, by.at]);
    await audited(tx, by, { action: 'domain.write', type: 'domain', id, after: { host } });
  }
}

const takenIfThere = (failure: unknown): never => {
  throw isUniqueViolation(failure) ? domainRefusals.taken() : failure;
};
