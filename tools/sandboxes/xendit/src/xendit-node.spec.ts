import type { RunningTill } from '@platform/sandbox-till';
import { Xendit } from 'xendit-node';
import { startXenditSandbox } from './index';

// The official client, as it is published, on the sandbox
const key = 'xnd_development_sandbox';
let running: RunningTill;
let xendit: Xendit;
beforeEach(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined); // it says that the key is a test key
  running = await startXenditSandbox({ port: 0, accounts: [{ key, callback_token: 't' }] });
  xendit = new Xendit({ secretKey: key, xenditURL: running.url });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await running.close();
});

const invoice = { externalId: 'INV-1-1', amount: 150_000, currency: 'IDR', invoiceDuration: 3600 } as const;

it('creates, reads, lists and expires an invoice', async () => {
  const created = await xendit.Invoice.createInvoice({ data: { ...invoice, description: 'Kopi 🛒' } });
  const id = created.id ?? '';
  expect(created).toMatchObject({
    ...{ externalId: 'INV-1-1', amount: 150_000, currency: 'IDR', status: 'PENDING', description: 'Kopi 🛒' },
    ...{ invoiceUrl: `${running.url}/pay/${id}`, expiryDate: expect.any(Date), availableBanks: expect.any(Array) },
  });
  expect(await xendit.Invoice.getInvoiceById({ invoiceId: id })).toEqual(created);
  expect(await xendit.Invoice.getInvoices({ externalId: 'INV-1-1' })).toEqual([created]);
  expect((await xendit.Invoice.expireInvoice({ invoiceId: id })).status).toBe('EXPIRED');
  await expect(xendit.Invoice.getInvoiceById({ invoiceId: 'nobody' })).rejects.toMatchObject({
    ...{ status: 404, errorCode: 'INVOICE_NOT_FOUND_ERROR' },
  });
});

it('refunds a paid invoice once per key, and not more than was paid', async () => {
  const { id: invoiceId = '' } = await xendit.Invoice.createInvoice({ data: invoice });
  const data = { invoiceId, amount: 100_000, currency: 'IDR', reason: 'REQUESTED_BY_CUSTOMER' } as const;
  await expect(xendit.Refund.createRefund({ idempotencyKey: 'r0', data })).rejects.toMatchObject({ status: 400 });
  running.till.pay(running.till.named({ invoice: 'INV-1-1' }));
  const refund = await xendit.Refund.createRefund({ idempotencyKey: 'r1', data });
  expect(refund).toMatchObject({ amount: 100_000, currency: 'IDR' });
  expect(await xendit.Refund.createRefund({ idempotencyKey: 'r1', data })).toEqual(refund);
  expect(await xendit.Refund.getRefund({ refundID: refund.id ?? '' })).toEqual(refund);
  await expect(xendit.Refund.createRefund({ idempotencyKey: 'r2', data })).rejects.toMatchObject({
    errorCode: 'MAXIMUM_REFUND_AMOUNT_REACHED',
  });
});

it('pays out once per key, and reads what came of it', async () => {
  const data = {
    ...{ referenceId: 'w1', channelCode: 'ID_BCA', amount: 90_000, currency: 'IDR', description: 'Penarikan' },
    channelProperties: { accountNumber: '1234567890', accountHolderName: 'Siti' },
  };
  const payout = await xendit.Payout.createPayout({ idempotencyKey: 'k1', data });
  expect(payout).toMatchObject({ referenceId: 'w1', amount: 90_000, status: 'ACCEPTED' });
  expect(await xendit.Payout.createPayout({ idempotencyKey: 'k1', data })).toEqual(payout);
  const other = { ...data, amount: 1 };
  await expect(xendit.Payout.createPayout({ idempotencyKey: 'k1', data: other })).rejects.toMatchObject({
    status: 409,
  });
  const to = (step: string) =>
    fetch(`${running.url}/__sandbox/payout`, {
      method: 'POST',
      body: JSON.stringify({ reference_id: 'w1', to: step }),
    });
  const steps: unknown[] = [];
  for (const step of ['request', 'succeed', 'reverse']) {
    await to(step);
    steps.push((await xendit.Payout.getPayoutById({ id: payout?.id ?? '' }))?.status);
  }
  expect(steps).toEqual(['REQUESTED', 'SUCCEEDED', 'REVERSED']);
  expect((await to('fail')).status).toBe(400);
  expect((await xendit.Payout.getPayouts({ referenceId: 'w1' })).data).toHaveLength(1);
});

it('is refused with another key', async () => {
  const stranger = new Xendit({ secretKey: 'xnd_development_other', xenditURL: running.url });
  await expect(stranger.Invoice.createInvoice({ data: invoice })).rejects.toMatchObject({
    ...{ status: 401, errorCode: 'INVALID_API_KEY' },
  });
});
