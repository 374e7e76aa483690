import type { Feed } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { MoneyField } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Empty, Moment, Money, Notice, Section } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { LedgerLine, Wallet } from '../balance/public';
import type { Topup } from '../topups/public';
import { walletTexts } from './wallet.texts';

interface WalletData {
  readonly wallet: Wallet;
  readonly lines: Feed<LedgerLine>;
  readonly topup: Topup | undefined;
  readonly month: string;
}
type One = Shown<WalletData, object>;

const Balances = ({ data: { wallet }, t }: One): JSX.Element => {
  const say = walletTexts(t);
  const all = [
    [say.available, wallet.available, undefined],
    [say.pending, wallet.pending, say.pendingHint],
    [say.locked, wallet.locked, undefined],
  ] as const;
  return (
    <section class="stats" aria-label={say.balance}>
      {all.map(([name, amount, hint]) => (
        <div class="panel stat">
          <span class="stat-name">{name}</span>
          <strong class="stat-value">
            <Money amount={amount} />
          </strong>
          {hint === undefined ? null : <small>{hint}</small>}
        </div>
      ))}
    </section>
  );
};

const Ways = ({ viewer, t }: One): JSX.Element => {
  const say = walletTexts(t);
  return (
    <div class="row-actions">
      <a
        class={viewer.caller.abilities.has('wallet.withdraw') ? 'button button-main' : 'button'}
        href="/wallet/withdraw"
      >
        <Icon name="cash" />
        {say.withdraw}
      </a>
      <a class="button" href="/wallet/bank-accounts">
        <Icon name="credit-card" />
        {say.accounts}
      </a>
      {viewer.caller.abilities.has('wallet.withdraw') ? (
        <a class="button" href="/wallet/pin">
          <Icon name="lock" />
          {say.pin}
        </a>
      ) : null}
    </div>
  );
};

/** A top-up that was begun: where it is paid, or what became of it. */
const Opened = ({ topup, t }: { readonly topup: Topup; readonly t: Reader }): JSX.Element => {
  const say = walletTexts(t);
  const { status, url, amount } = topup;
  if (status === 'paid') return <Notice text={say.topupPaid} />;
  if (status !== 'open') return <Notice text={say.topupEnded} />;
  return url === null ? (
    <Notice text={say.topupWaits} />
  ) : (
    <p>
      <a class="button button-main" href={url} rel="noreferrer">
        {say.topupPay({ amount: t.money(amount) })}
      </a>
    </p>
  );
};

const TopupForm = ({ form, t }: One): JSX.Element => {
  const say = walletTexts(t);
  return (
    <Adder title={say.topup} isOpen={isBack(form)}>
      <Form form={form} action="/wallet/topup">
        <MoneyField {...{ form, name: 'amount', label: say.amount, hint: say.topupHint, required: true }} />
        <SaveBar text={say.topupGo} />
      </Form>
    </Adder>
  );
};

const columnsFor = (t: Reader): readonly Column<LedgerLine>[] => {
  const say = walletTexts(t);
  const nameOf = (kind: string): string => (say.kinds as Readonly<Record<string, string>>)[kind] ?? say.kinds.other;
  return [
    { title: say.what, main: true, cell: ({ kind }) => nameOf(kind) },
    { title: say.at, plain: true, cell: ({ at }) => <Moment at={at} brief /> },
    { title: say.bucket, plain: true, cell: ({ bucket }) => say.buckets[bucket] },
    { title: say.balance, cell: ({ balance_after: balance }) => <Money amount={balance} /> },
    { title: say.amount, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  ];
};

const Lines = ({ data: { lines }, t }: One): JSX.Element => {
  const say = walletTexts(t);
  return (
    <Section title={say.lines}>
      {lines.rows.length === 0 ? (
        <Empty text={say.noLines} />
      ) : (
        <Table caption={say.lines} rows={lines.rows} columns={columnsFor(t)} />
      )}
      {lines.nextCursor === null ? null : (
        <p>
          <a class="button" href={`/wallet?cursor=${encodeURIComponent(lines.nextCursor)}`}>
            {say.older}
          </a>
        </p>
      )}
    </Section>
  );
};

const Statement = ({ data: { month }, t }: One): JSX.Element => {
  const say = walletTexts(t);
  return (
    <Section title={say.statement}>
      <form class="row-actions" action="/wallet/statement">
        <div class="input">
          <input type="month" name="month" aria-label={say.month} value={month} max={month} min="2020-01" />
        </div>
        <button class="button">
          <Icon name="download" />
          {say.download}
        </button>
      </form>
    </Section>
  );
};

export const WalletView = (shown: One): JSX.Element => {
  const { data, t, viewer } = shown;
  const { wallet, topup } = data;
  const { withdraw_hold_until: until } = wallet;
  return (
    <>
      {until === null ? null : <Notice text={walletTexts(t).hold({ until: t.moment(until) })} />}
      {topup ? <Opened topup={topup} t={t} /> : null}
      <Balances {...shown} />
      <Ways {...shown} />
      {viewer.caller.abilities.has('wallet.topup') ? <TopupForm {...shown} /> : null}
      <Lines {...shown} />
      <Statement {...shown} />
    </>
  );
};
