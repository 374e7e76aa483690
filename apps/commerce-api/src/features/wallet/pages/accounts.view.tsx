import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Empty } from '../../../web/ui/parts';
import type { BankAccount } from '../accounts/public';
import { payoutBanks } from '../accounts/public';
import { walletTexts } from './wallet.texts';
import { accountName } from './withdrawals.view';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = walletTexts(t);
  const of = 'add';
  return (
    <Form form={form} action="/wallet/bank-accounts" name={of}>
      <fieldset class="form-two">
        <legend>{say.addAccount}</legend>
        <Select
          {...{ form, of, name: 'bank_code', label: say.bank }}
          options={payoutBanks.map(({ code, name }) => [code, name])}
        />
        <Field
          {...{ form, of, name: 'number', label: say.number, hint: say.numberHint, inputMode: 'numeric' }}
          {...{ autocomplete: 'off', maxLength: 34, required: true }}
        />
        <Field
          {...{ form, of, name: 'holder', label: say.holder, hint: say.holderHint, maxLength: 100, required: true }}
        />
      </fieldset>
      <SaveBar text={say.saveAccount} />
    </Form>
  );
};

const State = ({ account, t }: { readonly account: BankAccount; readonly t: Reader }): JSX.Element => {
  const say = walletTexts(t);
  const { verified_at, usable_from, is_primary } = account;
  return (
    <span class="chips">
      {is_primary ? <Chip tone="info">{say.primary}</Chip> : null}
      {verified_at === null || usable_from === null ? (
        <Chip tone="wait">{say.unverified}</Chip>
      ) : (
        <Chip tone="good">{say.usableFrom({ at: t.brief(usable_from) })}</Chip>
      )}
    </span>
  );
};

const Row = ({ form, t, account, may }: Parts & { readonly account: BankAccount; readonly may: boolean }) => {
  const say = walletTexts(t);
  const { id } = account;
  const one = (name: 'primary' | 'remove', text: string) => (
    <Form form={form} action="/wallet/bank-accounts" name={`${name}.${id}`}>
      <input type="hidden" name="id" value={id} />
      <button class={name === 'remove' ? 'button button-danger' : 'button'}>{text}</button>
    </Form>
  );
  return (
    <li class="panel">
      <b>{accountName(account)}</b> {account.holder} <State account={account} t={t} />
      {may ? (
        <div class="row-actions">
          {account.is_primary ? null : one('primary', say.makePrimary)}
          {one('remove', say.remove)}
        </div>
      ) : null}
    </li>
  );
};

export const AccountsView = ({ data, form, t, viewer }: Shown<{ readonly accounts: readonly BankAccount[] }>) => {
  const say = walletTexts(t);
  const may = viewer.caller.abilities.has('wallet.withdraw');
  return (
    <>
      {may ? (
        <Adder title={say.addAccount} isOpen={isBack(form, 'add')}>
          <NewForm form={form} t={t} />
        </Adder>
      ) : null}
      {data.accounts.length === 0 ? (
        <Empty text={say.noAccounts} />
      ) : (
        <ul class="rows">
          {data.accounts.map((account) => (
            <Row {...{ form, t, account, may }} />
          ))}
        </ul>
      )}
    </>
  );
};
