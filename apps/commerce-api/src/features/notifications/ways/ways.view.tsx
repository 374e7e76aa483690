import type { JSX } from 'preact';
import type { NoticeEvent } from '../../../notice.types';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Form } from '../../../web/ui/form';
import { Section } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import { noticeTexts, ways, waysFor, type Way } from '../notice.events';
import type { WaysShown } from './ways';
import { waysTexts } from './ways.texts';

interface Parts extends WaysShown {
  readonly form: FormState;
  readonly t: Reader;
  readonly action: string;
}

const columnsFor = ({ preferences, push, t }: Parts): readonly Column<NoticeEvent>[] => {
  const say = waysTexts(t);
  const canPush = push.public_key !== null;
  const nameOf = (event: NoticeEvent) => noticeTexts[event][t.locale][0];
  const box = (event: NoticeEvent, way: Way) => (
    <label class="check">
      <input type="checkbox" name="ways" value={`${event} ${way}`} checked={preferences[event][way]} />
      <span class="sr">{say.way({ way: say.ways[way], event: nameOf(event) })}</span>
    </label>
  );
  return [
    { title: say.event, main: true, cell: nameOf },
    ...ways
      .filter((way) => way !== 'push' || canPush)
      .map((way) => ({
        title: say.ways[way],
        cell: (event: NoticeEvent) => (waysFor(event, canPush).includes(way) ? box(event, way) : null),
      })),
  ];
};

/** By which ways somebody is told, and of what. The page that it stands on takes it as the action `ways`. */
export const WaysForm = (parts: Parts): JSX.Element => {
  const { form, t, action, events } = parts;
  const say = waysTexts(t);
  return (
    <Section title={say.title}>
      <p class="hint">{say.text}</p>
      <Form form={form} action={action} name="ways">
        <Table caption={say.title} rows={events} columns={columnsFor(parts)} />
        <div class="row-actions">
          <button class="button">{say.save}</button>
        </div>
      </Form>
    </Section>
  );
};
