import type { ComponentChildren, JSX } from 'preact';
import type { Need } from '../../../abilities';
import type { Shown } from '../../../web/page.types';
import { BarChart } from '../../../web/ui/chart';
import { Icon, type IconName } from '../../../web/ui/icon';
import { Away, Money, Section, type Tone } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import type { WaitingChats } from '../../inbox/desk/public';
import { SetupList, type Setup } from '../onboarding/public';
import type { Alert, AlertKind, ChartPoint, Summary, TopProduct } from './dashboard.dto';
import { homeTexts } from './home.texts';

interface Home {
  readonly alerts: readonly Alert[];
  /** Orders whose buyers have shown a transfer. */
  readonly proofs: number;
  /** Null: their owner does not tell now; undefined: none of the reader's. */
  readonly chats: WaitingChats | null | undefined;
  readonly summary: Summary;
  readonly chart: readonly ChartPoint[];
  readonly best: readonly TopProduct[];
  /** Undefined: it has sold something, or the reader sets nothing up. */
  readonly setup: Setup | undefined;
}
type Parts = Shown<Home>;

type TaskKind = AlertKind | 'chats' | 'proofs' | 'to_ship';
interface TaskRow {
  readonly kind: TaskKind;
  readonly count: number;
  readonly isMore?: boolean;
  readonly url: string;
}

const SIGNS: Readonly<Record<TaskKind, readonly [IconName, Tone]>> = {
  chats: ['message-circle', 'bad'],
  proofs: ['credit-card', 'wait'],
  to_ship: ['package', 'wait'],
  low_stock: ['package', 'wait'],
  unpaid: ['receipt', 'wait'],
  device_offline: ['device-mobile-off', 'bad'],
  withdrawal_stuck: ['wallet', 'bad'],
  review: ['credit-card', 'bad'],
  plan: ['calendar-due', 'info'],
};

/** Who can do something about it. */
const NEEDS: Readonly<Record<Exclude<TaskKind, 'chats'>, Need>> = {
  ...{ proofs: 'payment.record', to_ship: 'shipping.write' },
  ...{ low_stock: 'product.read', unpaid: 'order.read', device_offline: 'device.write' },
  ...{ withdrawal_stuck: 'wallet.read', review: 'order.read', plan: 'member' },
};

/** What the list of orders shows of them. */
const ordersOf = ({
  proofs,
  summary: { pending },
}: Home): readonly (TaskRow & { readonly kind: 'proofs' | 'to_ship' })[] =>
  [
    { kind: 'proofs', count: proofs, url: '/orders?proof=pending' } as const,
    { kind: 'to_ship', count: pending.to_ship, url: '/orders?view=to_ship' } as const,
  ].filter(({ count }) => count > 0);

/** Customers first: nobody else waits by the minute. */
const tasksOf = ({ data, viewer }: Parts): readonly TaskRow[] => {
  const { alerts, chats } = data;
  return [
    ...(chats && (chats.count > 0 || chats.isMore) ? [{ kind: 'chats', ...chats, url: '/chats' } as const] : []),
    ...[...ordersOf(data), ...alerts].filter(({ kind }) => viewer.caller.abilities.has(NEEDS[kind])),
  ];
};

const Tasks = (parts: Parts): JSX.Element => {
  const { data, t } = parts;
  const say = homeTexts(t);
  const rows = tasksOf(parts);
  return (
    <Section title={say.need}>
      {data.chats === null ? <Away /> : null}
      {rows.length === 0 && data.chats !== null ? (
        <p class="panel fine">
          <Icon name="check" /> {say.fine}
        </p>
      ) : (
        <ul class="tasks">
          {rows.map(({ kind, count, isMore, url }) => (
            <li>
              <Way to={url} class="task-row">
                <span class={`task-sign ${SIGNS[kind][1]}`}>
                  <Icon name={SIGNS[kind][0]} />
                </span>
                <b class="task-text">{say.alerts[kind]}</b>
                <span class="task-count">{count === 0 ? null : `${t.count(count)}${isMore ? '+' : ''}`}</span>
                <Icon name="chevron-right" />
              </Way>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

interface FigureParts {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly beside: string;
}

const Figure = ({ name, value, beside }: FigureParts): JSX.Element => (
  <div class="stat">
    <span>{name}</span>
    <strong>{value}</strong>
    <small>{beside}</small>
  </div>
);

const Figures = ({ data, t }: Parts): JSX.Element => {
  const say = homeTexts(t);
  const { today, yesterday, pending } = data.summary;
  return (
    <section class="stats" aria-label={say.today}>
      <Figure
        name={say.sales}
        value={<Money amount={today.sales} />}
        beside={say.yesterday({ value: t.money(yesterday.sales) })}
      />
      <Figure name={say.orders} value={t.count(today.orders)} beside={say.paid({ count: t.count(today.paid) })} />
      <Figure
        name={say.toShip}
        value={t.count(pending.to_ship)}
        beside={say.unpaid({ count: t.count(pending.unpaid) })}
      />
      {today.chats === null ? null : (
        <Figure
          name={say.chats}
          value={t.count(today.chats)}
          beside={say.yesterday({ value: t.count(yesterday.chats ?? 0) })}
        />
      )}
    </section>
  );
};

const Best = ({ data, t }: Parts): JSX.Element => {
  const say = homeTexts(t);
  return (
    <section class="panel">
      <h2>{say.best}</h2>
      {data.best.length === 0 ? (
        <p>{say.nothingSold}</p>
      ) : (
        <ol class="rank">
          {data.best.map(({ product_id: id, name, units, revenue }) => (
            <li>
              {id === null ? name : <Way to={`/products/${id}`}>{name}</Way>}
              <span>
                {say.sold({ count: t.count(units) })} · {t.money(revenue)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};

/** `9` of `2026-11-09`. */
const dayOf = (date: string): string => String(Number(date.slice(-2)));

export const HomeView = (shown: Parts): JSX.Element => {
  const { data, t } = shown;
  if (data.setup !== undefined)
    return (
      <>
        <Tasks {...shown} />
        <Section title={homeTexts(t).begin}>
          <SetupList setup={data.setup} t={t} />
        </Section>
      </>
    );
  const points = data.chart.map(({ date, sales }) => ({ label: t.day(date), short: dayOf(date), value: sales }));
  return (
    <>
      <Tasks {...shown} />
      <Figures {...shown} />
      <div class="beside">
        <section class="panel">
          <BarChart title={homeTexts(t).chart} points={points} format={t.money} />
        </section>
        <Best {...shown} />
      </div>
    </>
  );
};
