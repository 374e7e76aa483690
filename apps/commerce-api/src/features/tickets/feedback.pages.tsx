import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { Text } from '@platform/validation';
import type { JSX } from 'preact';
import { buyerAction, buyerForms, buyerPage, type BuyerAsked, type BuyerShown } from '../../web/buyer.page';
import type { Reader } from '../../web/i18n/reader';
import type { Pages } from '../../web/kit';
import { TextArea } from '../../web/ui/field';
import { Form, stateOf } from '../../web/ui/form';
import { sellerOf, type Seller } from '../shop/store/public';
import { feedbackTexts } from './feedback.texts';
import { ticketOfToken, type TicketRef } from './feedback.token';
import { Rating } from './tickets.dto';
import type { TicketsService } from './tickets.service';

export interface FeedbackParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly secret: string;
  readonly tickets: Pick<TicketsService, 'rate'>;
}

interface Asked {
  readonly token: string;
  readonly shop: Seller;
  readonly isDone: boolean;
}

class FeedbackAsked {
  /** The rating was taken a moment ago. */
  @Text({ optional: true, max: 1 }) done?: string;
}

const MARKS = [5, 4, 3, 2, 1] as const;

const Marks = ({ form, t }: Pick<BuyerShown<Asked>, 'form' | 't'>): JSX.Element => {
  const say = feedbackTexts(t);
  const { fields, errors } = stateOf(form, undefined);
  return (
    <fieldset id="rating" aria-describedby={errors.rating === undefined ? undefined : 'rating-error'}>
      <legend>{say.rating}</legend>
      {errors.rating === undefined ? null : (
        <p class="error" id="rating-error">
          {errors.rating}
        </p>
      )}
      <div class="shop-choices">
        {MARKS.map((mark) => (
          <label class="shop-choice">
            <input type="radio" name="rating" value={mark} checked={fields.rating === String(mark)} />
            <span>{say.marks[mark]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const FeedbackPage = ({ data: { token, isDone }, form, t }: BuyerShown<Asked>): JSX.Element => {
  const say = feedbackTexts(t);
  return (
    <div class="panel narrow-card">
      <h1>{say.title}</h1>
      {isDone ? (
        <p class="alert good" role="status">
          {say.thanks}
        </p>
      ) : (
        <Form form={form} action={`/feedback/${token}`}>
          <Marks form={form} t={t} />
          <TextArea {...{ form, name: 'text', label: say.text, hint: say.textHint }} />
          <button class="button button-main">{say.send}</button>
        </Form>
      )}
    </div>
  );
};

const labels = (t: Reader) => ({ rating: feedbackTexts(t).rating, text: feedbackTexts(t).text });
const said = (name: 'already' | 'away') => ({ text: (t: Reader) => feedbackTexts(t)[name] });

/** A customer says how they were served, once, by the link that they were sent. */
export const feedbackPages = ({ sql, clock, secret, tickets }: FeedbackParts): Pages => {
  const ticketIn = ({ params }: Pick<BuyerAsked, 'params'>): TicketRef =>
    ticketOfToken(secret, params.token ?? '', clock.now());
  const of = buyerPage<Asked>({
    ...{ get: '/feedback/{token}', guard: 'buyer', query: FeedbackAsked, labels },
    load: async (asked) => {
      const { storeId } = ticketIn(asked);
      const { done } = asked.query as FeedbackAsked;
      return { token: asked.params.token ?? '', shop: await sellerOf(sql, storeId), isDone: done !== undefined };
    },
    shop: ({ shop }) => shop,
    title: (_, t) => feedbackTexts(t).title,
    view: FeedbackPage,
    conflicts: { already_rated: said('already'), unavailable: said('away'), upstreamFailed: said('away') },
  });
  const forms = buyerForms({
    post: '/feedback/{token}',
    of,
    on: {
      save: buyerAction({
        body: Rating,
        run: async ({ params, body }) => {
          await tickets.rate(ticketIn({ params }), body);
          return `/feedback/${encodeURIComponent(params.token ?? '')}?done=1`;
        },
      }),
    },
  });
  return (kit) => [...of(kit), ...forms(kit)];
};
