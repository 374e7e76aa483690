import type { Clock } from '@platform/runtime';
import type { DtoClass } from '@platform/validation';
import { auditOf } from '../../../audit';
import { byOf } from '../../../by';
import type { Pages } from '../../../web/kit';
import { action, actions, type FormOf } from '../../../web/page';
import type { Action, Running } from '../../../web/page.types';
import type { Viewer } from '../../../web/viewer';
import type { Changing } from './order-steps';
import { orderTexts } from './orders.texts';

/** Who changes an order on a page. */
export const changing =
  (clock: Clock) =>
  ({ caller }: Viewer): Changing => ({ by: byOf(clock)({ caller }), audit: auditOf(caller, clock) });

interface Step<B extends object> extends Pick<Action<B, unknown>, 'reads' | 'looks'> {
  readonly post: string;
  readonly ability: FormOf['ability'];
  /** What its form is called on the page. */
  readonly names: readonly string[];
  readonly body: DtoClass<B> & (new () => B);
  readonly run: (running: Running<B>, id: string, body: B) => Promise<unknown>;
  readonly said: (say: ReturnType<typeof orderTexts>) => string;
}

/** One form of the page of an order, which stays there. */
export const step = <B extends object>(
  of: FormOf['of'],
  { post, ability, names, run, said, ...more }: Step<B>,
): Pages => {
  const only = action({
    ...more,
    run: async (running) => run(running, running.params.id ?? '', running.body),
    done: (_, { t, params }) => ({ to: `/orders/${params.id}`, flash: said(orderTexts(t)) }),
  });
  return actions({ post, ability, of, on: Object.fromEntries(names.map((name) => [name, only])) });
};
