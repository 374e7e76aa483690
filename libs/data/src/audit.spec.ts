import { silentLogger } from '@platform/runtime';
import { explain, expectNoSeqScan, useDatabase, truncateAll } from '@platform/testing';
import { openDatabase } from './database';
import { CREATE_AUDIT_LOG, diffOf, writeAudit, type Audit } from './audit';
import { ForwardMigration } from './migrations';

class CreateAuditLog1760000000000 extends ForwardMigration {
  readonly steps = CREATE_AUDIT_LOG;
}

const rina: Audit = {
  tenantId: 'S1',
  actor: { id: 'u1', name: 'Rina', kind: 'user' },
  at: new Date('2026-03-01T08:00:00Z'),
  ip: '203.0.113.9',
};
const change = {
  action: 'coupon.write',
  subject: { type: 'coupon', id: 'c1' },
  diff: { code: { from: 'A', to: 'B' } },
};
const db = useDatabase({ schema: 'books', migrations: [CreateAuditLog1760000000000] });

beforeEach(() => truncateAll(db));

const entries = () => db.query('SELECT * FROM audit_log ORDER BY id');

describe('an audit entry', () => {
  it('an audit entry holds who did what to what, when and from where', async () => {
    await writeAudit(db, rina, change);
    await writeAudit(db, { ...rina, ip: undefined, actor: { id: 'bot', name: 'bot-engine', kind: 'service' } }, change);
    const entry = {
      tenant_id: 'S1',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: rina.at,
      actor_id: 'u1',
      actor_name: 'Rina',
      actor_kind: 'user',
      action: 'coupon.write',
      subject_type: 'coupon',
      subject_id: 'c1',
      diff: { code: { from: 'A', to: 'B' } },
      ip: '203.0.113.9',
    };
    const ofBot = { ...entry, actor_id: 'bot', actor_name: 'bot-engine', actor_kind: 'service', ip: null };
    expect(await entries()).toEqual([entry, ofBot]);
  });

  it('an audit entry is written by one prepared statement', async () => {
    const single = openDatabase({ url: db.url, schema: 'books', poolSize: 1, logger: silentLogger });
    await writeAudit(single, rina, change);
    await writeAudit(single, rina, change);
    const names = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%INTO audit_log%'`;
    expect(await single.query(names)).toEqual([{ name: 'audit' }]);
    await single.stop?.();
  });

  it('an audit entry is rolled back with its change', async () => {
    const failing = db.tx(async (tx) => {
      await writeAudit(tx, rina, change);
      throw new Error('the write failed');
    });
    await expect(failing).rejects.toThrow('the write failed');
    expect(await entries()).toEqual([]);
  });

  it.each([`UPDATE audit_log SET action = 'x'`, 'DELETE FROM audit_log'])(
    'the audit log refuses %s',
    async (statement) => {
      await writeAudit(db, rina, change);
      await expect(db.query(statement)).rejects.toThrow('audit_log is append-only');
    },
  );

  it.each([
    ['of a tenant by time', 'tenant_id = $1 ORDER BY at DESC, id DESC LIMIT 50', ['S1']],
    [
      'of a subject by time',
      `tenant_id = $1 AND subject_type = 'coupon' AND subject_id = $2 ORDER BY at DESC, id DESC`,
      ['S1', 'c1'],
    ],
  ])('audit entries are found in the list %s by an index, without sorting', async (_, rest, values) => {
    await db.query('ANALYZE audit_log'); // counted, as autovacuum does
    const plan = await explain(db, `SELECT * FROM audit_log WHERE ${rest}`, values);
    expectNoSeqScan(plan);
    expect(JSON.stringify(plan)).not.toContain('"Sort"');
  });
});

describe('an audited difference', () => {
  it('a difference has the members that changed, with both values as JSON', () =>
    expect(
      diffOf(
        { code: 'A', value: 5, scope: { ids: [1] }, ends: new Date(0), same: new Date(1), gone: 1 },
        {
          code: 'A',
          value: 6n,
          scope: { ids: [1, 2] },
          ends: new Date(1),
          same: new Date(1).toISOString(),
          come: null,
        },
      ),
    ).toEqual({
      value: { from: 5, to: '6' },
      scope: { from: { ids: [1] }, to: { ids: [1, 2] } },
      ends: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:00.001Z' },
      gone: { from: 1 },
      come: { to: null },
    }));

  it('the difference of a created or deleted row has one side', () =>
    expect([diffOf(undefined, { code: 'A' }), diffOf({ code: 'A' }, undefined), diffOf(undefined, undefined)]).toEqual([
      { code: { to: 'A' } },
      { code: { from: 'A' } },
      {},
    ]));

  it('a difference shows that a secret changed, at any depth, and never its value', () => {
    const diff = diffOf(
      { pin: '1234', provider: { name: 'a', key: 'k1' }, token: null },
      { pin: '9999', provider: { name: 'a', key: 'k2' }, token: 't1', other: { key: 'k1' } },
      ['pin', 'key', 'token'],
    );
    expect(diff).toEqual({
      pin: { from: '***', to: '***' },
      provider: { from: { name: 'a', key: '***' }, to: { name: 'a', key: '***' } },
      token: { from: null, to: '***' },
      other: { to: { key: '***' } },
    });
  });
});
