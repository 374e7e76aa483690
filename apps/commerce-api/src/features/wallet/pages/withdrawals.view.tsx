import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { addressOf, LIST } from '../../../web/ui/address';
import { Field, MoneyField, Select } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { hx } from '../../../web/ui/hx';
import { Pager } from '../../../web/ui/pager';
import { Chip, Empty, Moment, Money, Notice, Section, type Tone } from '../../../web/ui/parts';
import { Facts, Table, type Column } from '../../../web/ui/table';
import { LEAST, type BankAccount } from '../accounts/public';
import type { Withdrawal, WithdrawalInquiry, WithdrawalsQuery, WithdrawalWish } from '../withdrawals/public';
import { walletTexts } from './wallet.texts';

/** What is to be withdrawn, and what that comes to. */
export interface Asked extends WithdrawalWish {
  readonly told: WithdrawalInquiry;
}

interface Data extends ListedPage<Withdrawal> {
  readonly accounts: readonly BankAccount[];
  readonly available: number;
  readonly asked: Asked | undefined;
}
type All = Shown<Data, WithdrawalsQuery & Partial<WithdrawalWish>>;

const TONES: Readonly<Record<Withdrawal['status'], Tone>> = {
  ...{ requested: 'wait', approved: 'info', processing: 'info', paid: 'good', cancelled: 'plain' },
  ...{ rejected: 'bad', failed: 'bad', reversed: 'bad' },
};

/** Its money is in the wallet again. */
const BACK: ReadonlySet<Withdrawal['status']> = new Set(['rejected', 'failed', 'reversed']);

/** `BCA •1234`. */
export const accountName = ({ bank, last4 }: Pick<BankAccount, 'bank' | 'last4'>): string => `${bank} •${last4}`;

const WishForm = ({ form, t, data: { accounts, available } }: All): JSX.Element => {
  const say = walletTexts(t);
  const of = 'check';
  if (accounts.length === 0)
    return (
      <Empty text={say.noAccount}>
        <a class="button button-main" href="/wallet/bank-accounts">
          {say.addAccount}
        </a>
      </Empty>
    );
  const main = accounts.find(({ is_primary }) => is_primary);
  return (
    <Form form={form} action="/wallet/withdraw" name={of}>
      <fieldset class="form-two">
        <legend>{say.withdraw}</legend>
        <MoneyField
          {...{ form, of, name: 'amount', label: say.amount, required: true }}
          hint={say.wishHint({ available: t.money(available), least: t.money(LEAST) })}
        />
        <Select
          {...{ form, of, name: 'bank_account_id', label: say.account, value: main?.id }}
          options={accounts.map((account) => [account.id, `${accountName(account)}, ${account.holder}`])}
        />
      </fieldset>
      <SaveBar text={say.check} />
    </Form>
  );
};

/** What a withdrawal costs and where it goes, and the PIN; or what stands against it. */
const Confirm = ({ form, t, data: { accounts }, asked }: All & { readonly asked: Asked }): JSX.Element => {
  const say = walletTexts(t);
  const { amount, bank_account_id: id, told } = asked;
  const account = accounts.find((each) => each.id === id.toLowerCase());
  const bank = account ? accountName(account) : told.bank;
  const facts = [
    [say.amount, <Money amount={amount} />],
    [say.fee, <Money amount={told.fee} />],
    [say.received, <Money amount={told.received} />],
    [say.account, `${bank}, ${told.holder}`],
  ] as const;
  const of = 'withdraw';
  return (
    <section class="panel">
      <Facts facts={facts} />
      {told.reasons.map((reason) => (
        <Notice text={say.obstacles[reason as keyof typeof say.obstacles]} />
      ))}
      {told.allowed ? (
        <Form form={form} action="/wallet/withdraw" name={of}>
          <input type="hidden" name="amount" value={amount} />
          <input type="hidden" name="bank_account_id" value={id} />
          <Field
            {...{ form, of, name: 'pin', label: say.pinLabel, type: 'password', inputMode: 'numeric', required: true }}
            {...{ autocomplete: 'off', maxLength: 6 }}
          />
          <SaveBar text={say.confirm({ amount: t.money(amount), bank })}>
            <a class="button" href="/wallet/withdraw">
              {t.form.cancel}
            </a>
          </SaveBar>
        </Form>
      ) : (
        <a class="button" href="/wallet/withdraw">
          {t.app.back}
        </a>
      )}
    </section>
  );
};

const Cancel = ({
  form,
  t,
  id,
}: {
  readonly form: FormState;
  readonly t: Reader;
  readonly id: string;
}): JSX.Element => (
  <Form form={form} action={`/wallet/withdraw/${id}/cancel`} name={`cancel.${id}`}>
    <button class="button button-danger">{walletTexts(t).cancel}</button>
  </Form>
);

/** Why nothing arrived: what providers say in codes is said in words, what people wrote stays. */
const failureIn = (failure: string, t: Reader): string => {
  const { failures } = walletTexts(t);
  if (Object.hasOwn(failures, failure)) return failures[failure as keyof typeof failures];
  return /^[A-Z\d_]+$|^(refused|failed|reversed)$/.test(failure) ? failures.unknown : failure;
};

const Failure = ({ status, failure, t }: Pick<Withdrawal, 'status' | 'failure'> & { readonly t: Reader }) =>
  BACK.has(status) ? (
    <small>
      {failure === null ? null : <bdi>{failureIn(failure, t)}</bdi>} {walletTexts(t).isBack}
    </small>
  ) : null;

const columnsFor = ({ form, t, viewer }: All): readonly Column<Withdrawal>[] => {
  const say = walletTexts(t);
  const may = viewer.caller.abilities.has('wallet.withdraw');
  return [
    { title: say.account, main: true, cell: ({ account }) => `${accountName(account)}, ${account.holder}` },
    {
      ...{ title: say.state, plain: true },
      cell: ({ id, status, failure }) => (
        <div>
          <Chip tone={TONES[status]}>{say.states[status]}</Chip> <Failure {...{ status, failure, t }} />
          {status === 'requested' && may ? <Cancel {...{ form, t, id }} /> : null}
        </div>
      ),
    },
    { title: say.at, cell: ({ created_at: at }) => <Moment at={at} brief /> },
    { title: say.amount, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  ];
};

/** What becomes of it happens elsewhere: at the bank within seconds, where somebody approves it within days. */
const paceOf = (rows: readonly Withdrawal[]): 'every 5s' | 'every 60s' | undefined => {
  if (rows.some(({ status }) => status === 'approved' || status === 'processing')) return 'every 5s';
  return rows.some(({ status }) => status === 'requested') ? 'every 60s' : undefined;
};

/** What was withdrawn; while some of it is on its way it asks for itself again. */
export const WithdrawalList = (shown: All): JSX.Element => {
  const { data, t, query } = shown;
  const say = walletTexts(t);
  const { amount: _amount, bank_account_id: _account, ...listed } = query;
  const list = { path: '/wallet/withdraw', query: listed, usualSort: '-created_at' };
  const trigger = paceOf(data.rows);
  const again = { get: addressOf(list, {}), target: `#${LIST}`, swap: 'outerMorph' } as const;
  return (
    <div id={LIST} {...(trigger && hx({ ...again, trigger }))}>
      {data.rows.length === 0 ? (
        <Empty text={say.noWithdrawals} />
      ) : (
        <>
          <Table caption={say.withdrawals} rows={data.rows} columns={columnsFor(shown)} />
          <Pager list={list} listed={data} isPart />
        </>
      )}
    </div>
  );
};

export const WithdrawalsView = (shown: All): JSX.Element => {
  const { data, form, t, viewer } = shown;
  const say = walletTexts(t);
  const mayWithdraw = viewer.caller.abilities.has('wallet.withdraw');
  const isLost = form.alert !== undefined && form.action !== 'check' && form.action !== 'withdraw';
  return (
    <>
      {isLost ? <Notice text={form.alert ?? ''} /> : null}
      {!mayWithdraw ? null : data.asked ? <Confirm {...shown} asked={data.asked} /> : <WishForm {...shown} />}
      <Section title={say.withdrawals}>
        <WithdrawalList {...shown} />
      </Section>
    </>
  );
};
