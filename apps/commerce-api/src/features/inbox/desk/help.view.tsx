import type { JSX } from 'preact';
import { Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { inboxTexts } from './inbox.texts';
import { CHATS, chatAddress } from './rows.view';
import type { BandParts } from './thread.view';

/** What a colleague is to help with, and who is asked: the supervisors unless a team is named. */
export const Help = ({ chat, list, teams, form, t }: Omit<BandParts, 'caller'>): JSX.Element => {
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
