import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { FormState } from '../../web/page.types';
import { Check, Select, TextArea } from '../../web/ui/field';
import { Form } from '../../web/ui/form';
import type { MemberName } from '../team/members/public';
import { ticketStatuses, type Ticket } from './tickets.dto';
import { ticketTexts } from './tickets.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly ticket: Ticket;
}

export const ReplyForm = ({ form, t, ticket, canNotify }: Parts & { readonly canNotify: boolean }): JSX.Element => {
  const say = ticketTexts(t);
  const of = 'reply';
  return (
    <Form form={form} action={`/tickets/${ticket.id}`} name={of}>
      <fieldset>
        <legend>{say.reply}</legend>
        <TextArea {...{ form, of, name: 'text', label: say.text, required: true }} />
        {canNotify ? <Check {...{ form, of, name: 'notify', label: say.notify }} /> : null}
        <div class="row-actions">
          <button class="button button-main">{say.send}</button>
        </div>
      </fieldset>
    </Form>
  );
};

export const StatusForm = ({ form, t, ticket }: Parts): JSX.Element => {
  const say = ticketTexts(t);
  const of = 'status';
  return (
    <Form form={form} action={`/tickets/${ticket.id}`} name={of}>
      <div class="look-up">
        <Select
          {...{ form, of, name: 'status', label: say.status, value: ticket.status }}
          options={ticketStatuses.map((status) => [status, say.statuses[status]])}
        />
        <button class="button">{say.setStatus}</button>
      </div>
    </Form>
  );
};

/** Whoever has it stays chosen, also nobody, and who does not work here any more. */
const unlisted = ({ assignee }: Ticket, members: readonly MemberName[], t: Reader) => {
  const say = ticketTexts(t);
  if (assignee === null) return [['', say.nobody] as const];
  return members.some(({ id }) => id === assignee) ? [] : [[assignee, say.somebody] as const];
};

export const AssignForm = ({ form, t, ticket, members }: Parts & { readonly members: readonly MemberName[] }) => {
  const say = ticketTexts(t);
  const of = 'assign';
  return (
    <Form form={form} action={`/tickets/${ticket.id}`} name={of}>
      <div class="look-up">
        <Select
          {...{ form, of, name: 'user_id', label: say.assignee, value: ticket.assignee }}
          options={[...unlisted(ticket, members, t), ...members.map(({ id, name }) => [id, name] as const)]}
        />
        <button class="button">{say.assign}</button>
      </div>
    </Form>
  );
};
