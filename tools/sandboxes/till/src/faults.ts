import { ControlError, type Json } from './till.types';

const DOWN = ['refuse', 'hang', 'error', 'html', 'garbage', 'huge', 'lost'] as const;
export type Down = (typeof DOWN)[number];

interface Planned<Kind> {
  readonly kind: Kind;
  /** How many calls it still hits; null: all until it is taken back. */
  left: number | null;
  /** Only calls whose path begins so. */
  readonly path: string;
}

const timesOf = (body: Json, usual: number | null): number | null => {
  const times = body.times ?? usual;
  if (times === null || (Number.isInteger(times) && Number(times) > 0)) return times as number | null;
  throw new ControlError('times is a whole number from 1');
};

const pathOf = ({ path = '/' }: Json): string => {
  if (typeof path === 'string' && path.startsWith('/')) return path;
  throw new ControlError('path begins with /');
};

/** How the next calls of merchants go wrong. Control routes and pages never do. */
export class Faults {
  private down: Planned<Down> | undefined;
  private slow: Planned<number> | undefined;

  /** `{mode: refuse | hang | error | html | garbage | huge | lost | up, times, path}`; `lost`: done, and never answered. */
  setDown(body: Json): void {
    const { mode = 'refuse' } = body;
    if (mode === 'up') return void (this.down = undefined);
    const kind = DOWN.find((each) => each === mode);
    if (!kind) throw new ControlError(`mode is one of ${DOWN.join(', ')}, up`);
    this.down = { kind, left: timesOf(body, null), path: pathOf(body) };
  }

  /** `{ms, times, path}`: the work is done at once, the answer comes so much later; 0 ends it. */
  setDelay(body: Json): void {
    const { ms } = body;
    if (typeof ms !== 'number' || !(ms >= 0)) throw new ControlError('ms is a number from 0');
    this.slow = ms === 0 ? undefined : { kind: ms, left: timesOf(body, 1), path: pathOf(body) };
  }

  takeDown(path: string): Down | undefined {
    return take(this.down, path);
  }

  takeDelay(path: string): number {
    return take(this.slow, path) ?? 0;
  }
}

const take = <Kind>(planned: Planned<Kind> | undefined, path: string): Kind | undefined => {
  if (!planned || planned.left === 0 || !path.startsWith(planned.path)) return undefined;
  if (planned.left !== null) planned.left -= 1;
  return planned.kind;
};
