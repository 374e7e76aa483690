import { cut } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Adder, isBack } from '../../../web/ui/form';
import { Pager } from '../../../web/ui/pager';
import { Chip, Empty, Section } from '../../../web/ui/parts';
import type { QuickRepliesQuery, QuickReply } from '../../automation/replies/public';
import { defaultBodies } from '../templates/public';
import { NewReplyForm, PATH, ReplyForms, WordsForm, wordsForm, type Parts } from './templates.forms';
import { templateTexts } from './templates.texts';
import type { EventWords, TemplatesData } from './templates.types';

const State = ({ words: { template }, t }: { readonly words: EventWords; readonly t: Reader }): JSX.Element => {
  const say = templateTexts(t);
  if (!template) return <Chip tone="plain">{say.standard}</Chip>;
  return <Chip tone={template.active ? 'good' : 'wait'}>{template.active ? say.active : say.off}</Chip>;
};

const LONGEST = 80;
const shortly = (text: string): string => (text.length > LONGEST ? `${cut(text, LONGEST)}…` : text);

const Words = ({ form, t, words }: Parts & { readonly words: EventWords }): JSX.Element => (
  <li>
    <details class="panel" open={isBack(form, wordsForm(words))}>
      <summary class="variant-row">
        <b>{templateTexts(t).events[words.event]}</b>
        <State words={words} t={t} />
        <small dir="auto">{shortly(words.template?.body ?? defaultBodies[t.locale][words.event])}</small>
      </summary>
      <WordsForm {...{ form, t, words }} />
    </details>
  </li>
);

const Reply = ({ form, t, reply }: Parts & { readonly reply: QuickReply }): JSX.Element => (
  <li>
    <details class="panel" open={isBack(form, `change.${reply.id}`)}>
      <summary class="variant-row">
        <b dir="auto">/{reply.shortcut}</b>
        <span />
        <small dir="auto">{shortly(reply.body)}</small>
      </summary>
      <ReplyForms {...{ form, t, reply }} />
    </details>
  </li>
);

type All = Shown<TemplatesData, QuickRepliesQuery>;

const Search = ({ query, t }: Pick<All, 'query' | 't'>): JSX.Element => {
  const { search } = templateTexts(t);
  return (
    <form class="look-up" role="search" action={PATH}>
      <div class="input">
        <input type="search" name="q" value={query.q} aria-label={search} placeholder={search} maxLength={100} />
      </div>
      <button class="button">{t.list.search}</button>
    </form>
  );
};

const Replies = ({ data: { replies }, query, form, t }: All): JSX.Element => {
  const say = templateTexts(t);
  const isAll = query.q === undefined && replies.page === 1;
  return (
    <Section title={say.replies}>
      <p class="hint">{say.repliesHint}</p>
      <Adder title={say.create} isOpen={isBack(form, 'add')}>
        <NewReplyForm {...{ form, t }} />
      </Adder>
      {isAll && replies.total === 0 ? null : <Search query={query} t={t} />}
      {replies.rows.length === 0 ? (
        <Empty text={isAll ? say.noReplies : t.list.nothingFound} />
      ) : (
        <>
          <ul class="rows">
            {replies.rows.map((reply) => (
              <Reply {...{ form, t, reply }} />
            ))}
          </ul>
          <Pager list={{ path: PATH, query, usualSort: 'shortcut' }} listed={replies} />
        </>
      )}
    </Section>
  );
};

export const TemplatesView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = templateTexts(t);
  return (
    <div class="rows">
      <Replies {...shown} />
      <Section title={say.own}>
        <p class="hint">{say.ownHint}</p>
        <ul class="rows">
          {data.words.map((words) => (
            <Words {...{ form, t, words }} />
          ))}
        </ul>
      </Section>
    </div>
  );
};
