import { randomBytes } from 'node:crypto';
import {
  ControlError,
  numberAt,
  recordAt,
  textAt,
  type Answer,
  type Call,
  type Json,
  type Till,
} from '@platform/sandbox-till';
import { payoutAnswer, payoutNotice, type PayoutRow } from './xendit.answers';
import { bodyOf, refusal } from './xendit.refusal';

const TABLE = 'payouts';

const STEPS: Readonly<Record<string, { to: PayoutRow['status']; from: readonly PayoutRow['status'][] }>> = {
  request: { to: 'REQUESTED', from: ['ACCEPTED'] },
  succeed: { to: 'SUCCEEDED', from: ['ACCEPTED', 'REQUESTED'] },
  fail: { to: 'FAILED', from: ['ACCEPTED', 'REQUESTED'] },
  reverse: { to: 'REVERSED', from: ['SUCCEEDED'] },
};

const missing = (body: Json): string[] => {
  const properties = recordAt(body, 'channel_properties');
  const texts = ['reference_id', 'channel_code', 'currency'].filter((name) => textAt(body, name) === undefined);
  const account = ['account_number', 'account_holder_name'].filter((name) => textAt(properties, name) === undefined);
  return [...texts, ...account, ...((numberAt(body, 'amount') ?? 0) > 0 ? [] : ['amount'])];
};

/** Payouts: ACCEPTED, then REQUESTED, then SUCCEEDED or FAILED; what succeeded can come back as REVERSED. */
export class XenditPayouts {
  constructor(
    private readonly till: Till,
    private readonly noticeUrl: string | null,
  ) {}

  serve(call: Call, account: string): Answer | undefined {
    if (call.path === '/v2/payouts')
      return call.method === 'POST' ? this.create(call, account) : this.list(call, account);
    const [, id] = /^\/v2\/payouts\/([^/]+)$/.exec(call.path) ?? [];
    if (call.method !== 'GET' || id === undefined) return undefined;
    const row = this.of(account).find((each) => each.id === decodeURIComponent(id));
    if (!row) throw refusal(404, 'DATA_NOT_FOUND', 'The payout id was not found');
    return { status: 200, json: payoutAnswer(row) };
  }

  /** `{id | reference_id, to: request | succeed | fail | reverse, failure_code}`. */
  control(body: Json): Json {
    const row = this.rows().findLast(({ id, asked }) => id === body.id || asked.reference_id === body.reference_id);
    const step = typeof body.to === 'string' && Object.hasOwn(STEPS, body.to) ? STEPS[body.to] : undefined;
    if (!row || !step) throw new ControlError(`name a payout by id or reference_id, and one of ${Object.keys(STEPS)}`);
    if (!step.from.includes(row.status)) throw new ControlError(`it is ${row.status}`);
    const failureCode = step.to === 'FAILED' ? (textAt(body, 'failure_code') ?? 'INVALID_DESTINATION') : null;
    const updated = new Date().toISOString();
    const now = this.till.journal.put<PayoutRow>(TABLE, row.id, { ...row, status: step.to, failureCode, updated });
    if (now.status !== 'REQUESTED' && this.noticeUrl !== null)
      this.till.sender.send({
        ...{ about: now.id, account: now.account, url: this.noticeUrl },
        ...{ type: 'application/json', body: JSON.stringify(payoutNotice(now)) },
      });
    return payoutAnswer(now);
  }

  private rows(): PayoutRow[] {
    return this.till.journal.all<PayoutRow>(TABLE);
  }

  private of(account: string): PayoutRow[] {
    return this.rows().filter((each) => each.account === account);
  }

  private create(call: Call, account: string): Answer {
    const idempotencyKey = String(call.headers['idempotency-key'] ?? '');
    if (idempotencyKey === '') throw refusal(400, 'API_VALIDATION_ERROR', 'Header idempotency-key is required');
    const asked = bodyOf(call);
    const before = this.of(account).find((each) => each.idempotencyKey === idempotencyKey);
    if (before && JSON.stringify(before.asked) !== JSON.stringify(asked))
      throw refusal(409, 'DUPLICATE_ERROR', 'The idempotency key was used with another request');
    if (before) return { status: 200, json: payoutAnswer(before) };
    const wrong = missing(asked);
    if (wrong.length > 0) throw refusal(400, 'API_VALIDATION_ERROR', `${wrong.join(', ')} is required`);
    const at = new Date().toISOString();
    const id = `disb-${randomBytes(12).toString('hex')}`;
    const row: PayoutRow = {
      ...{ id, account, idempotencyKey, status: 'ACCEPTED', failureCode: null, created: at, updated: at, asked },
    };
    return { status: 200, json: payoutAnswer(this.till.journal.put(TABLE, id, row)) };
  }

  private list({ query }: Call, account: string): Answer {
    const reference = query.get('reference_id');
    if (reference === null) throw refusal(400, 'API_VALIDATION_ERROR', 'reference_id is required');
    const data = this.of(account).filter(({ asked }) => asked.reference_id === reference);
    return { status: 200, json: { data: data.map(payoutAnswer), has_more: false } };
  }
}
