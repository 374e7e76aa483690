import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { inboxTexts } from './inbox.texts';
import type { AskedHelp, InboxRow } from './inbox.types';
import { CHATS, chatAddress, type ListQuery } from './rows.view';

interface HelpParts {
  /** Of which team it is; undefined while it is not known. */
  readonly chat: Pick<InboxRow, 'id'> & { readonly team: string | undefined };
  readonly list: ListQuery;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly form: FormState;
  readonly t: Reader;
}

/** What a colleague is to help with, and who is asked: the supervisors unless a team is named. */
export const Help = ({ chat, list, teams, form, t }: HelpParts): JSX.Element => {
  const { help: say } = inboxTexts(t);
  const others = teams.filter(({ id }) => id !== chat.team).map(({ id, name }) => [id, name] as const);
  const of = 'escalate';
  return (
    <section id="help" class="help" aria-label={say.ask}>
      <Form form={form} action={`${CHATS}/${chat.id}/action`} name={of}>
        <TextArea {...{ form, of, name: 'reason', label: say.reason, hint: say.reasonHint, rows: 2, required: true }} />
        <Select {...{ form, of, name: 'team_id', label: say.team, options: [['', say.supervisors], ...others] }} />
        <SaveBar text={say.ask}>
          <a class="button" href={chatAddress(chat, list)}>
            {say.back}
          </a>
        </SaveBar>
      </Form>
    </section>
  );
};

/** Where help is given: who called, and why. */
export const Called = ({ help, t }: { readonly help: AskedHelp; readonly t: Reader }): JSX.Element => {
  const { help: say, roles, someone } = inboxTexts(t);
  return (
    <p class="band-help">
      <b>
        <bdi>{help.byName ?? (help.by === 'bot' ? roles.bot : someone)}</bdi> {say.called}
      </b>{' '}
      <time dateTime={help.at}>{t.brief(help.at)}</time>
      <span dir="auto">{help.reason}</span>
    </p>
  );
};
