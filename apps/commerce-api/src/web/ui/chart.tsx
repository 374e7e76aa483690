import type { JSX } from 'preact';
import { useReader } from './reading';

export interface ChartBar {
  readonly label: string;
  /** Under its bar, where all of them have room. */
  readonly short: string;
  readonly value: number;
}

interface ChartParts {
  readonly title: string;
  readonly points: readonly ChartBar[];
  readonly format: (value: number) => string;
}

const [WIDTH, HEIGHT] = [600, 170];
/** Of the width that a bar has to itself. */
const FILLED = 0.64;
const LINES = [0.5, HEIGHT / 2, HEIGHT - 0.5];
/** Names under the bars: more would not fit on a phone. */
const MOST_NAMES = 16;
/** Of bars that are too many for each to have one: these are wider than their bar. */
const FEW_NAMES = 5;

const Bars = ({ points, format }: Omit<ChartParts, 'title'>): JSX.Element => {
  const most = Math.max(...points.map(({ value }) => value), 1);
  const step = WIDTH / Math.max(points.length, 1);
  return (
    <>
      {points.map(({ label, value }, at) => {
        const height = (value / most) * (HEIGHT - 10);
        const frame = { x: at * step + (step * (1 - FILLED)) / 2, width: step * FILLED, y: HEIGHT - height, height };
        return (
          <rect class="chart-bar" {...frame} rx="4">
            <title>{`${label}: ${format(value)}`}</title>
          </rect>
        );
      })}
    </>
  );
};

/** Bars drawn here; the same in a table, for who does not see them and who wants the numbers. */
export const BarChart = ({ title, points, format }: ChartParts): JSX.Element => {
  const t = useReader();
  const isFew = points.length > MOST_NAMES;
  const each = isFew ? Math.ceil(points.length / FEW_NAMES) : 1;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title} preserveAspectRatio="none">
        {LINES.map((y) => (
          <line class="chart-line" x1="0" x2={WIDTH} y1={y} y2={y} />
        ))}
        <Bars points={points} format={format} />
      </svg>
      <div class={isFew ? 'chart-names chart-names-few' : 'chart-names'} aria-hidden="true">
        {points.map(({ short }, at) => (
          <span>{(points.length - 1 - at) % each === 0 && at >= each - 1 ? short : ''}</span>
        ))}
      </div>
      <details>
        <summary>{t.chart.numbers}</summary>
        <table>
          <tbody>
            {points.map(({ label, value }) => (
              <tr>
                <th scope="row">{label}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};

/** One below the other, each as long as it is much: for steps, and for what is ranked. */
export const StepChart = ({
  title,
  points,
  format,
}: Omit<ChartParts, 'points'> & { readonly points: readonly Pick<ChartBar, 'label' | 'value'>[] }): JSX.Element => {
  const most = Math.max(...points.map(({ value }) => value), 1);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <ol class="steps">
        {points.map(({ label, value }) => (
          <li>
            <bdi>{label}</bdi>
            <b>{format(value)}</b>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect class="chart-bar" width={(value / most) * 100} height="1" />
            </svg>
          </li>
        ))}
      </ol>
    </figure>
  );
};
