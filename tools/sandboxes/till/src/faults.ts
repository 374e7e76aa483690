import { ControlError, type Call, type Json } from './till.types';

const DOWN = ['refuse', 'hang', 'error', 'html', 'garbage', 'huge', 'lost'] as const;
export type Down = (typeof DOWN)[number];

type Hit = Pick<Call, 'method' | 'path'>;

interface Planned<Kind> {
  readonly kind: Kind;
  /** How many calls it still hits; null: all until it is taken back. */
  left: number | null;
  /** Only calls whose path begins so. */
  readonly path: string;
  /** Only calls of this method; undefined: of every one. */
  readonly method: string | undefined;
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

const methodOf = ({ method }: Json): string | undefined => {
  if (method === undefined || typeof method === 'string') return method;
  throw new ControlError('method is GET or POST');
};

const planned = <Kind>(kind: Kind, body: Json, times: number | null): Planned<Kind> => ({
  ...{ kind, left: timesOf(body, times), path: pathOf(body), method: methodOf(body) },
});

/** How the next calls of merchants go wrong. Control routes and pages never do. */
export class Faults {
  private down: Planned<Down> | undefined;
  private slow: Planned<number> | undefined;

  /** `{mode: refuse | hang | error | html | garbage | huge | lost | up, times, path, method}`; `lost`: done, and never answered. */
  setDown(body: Json): void {
    const { mode = 'refuse' } = body;
    if (mode === 'up') return void (this.down = undefined);
    const kind = DOWN.find((each) => each === mode);
    if (!kind) throw new ControlError(`mode is one of ${DOWN.join(', ')}, up`);
    this.down = planned(kind, body, null);
  }

  /** `{ms, times, path, method}`: the work is done at once, the answer comes so much later; 0 ends it. */
  setDelay(body: Json): void {
    const { ms } = body;
    if (typeof ms !== 'number' || !(ms >= 0)) throw new ControlError('ms is a number from 0');
    this.slow = ms === 0 ? undefined : planned(ms, body, 1);
  }

  takeDown(call: Hit): Down | undefined {
    return take(this.down, call);
  }

  takeDelay(call: Hit): number {
    return take(this.slow, call) ?? 0;
  }
}

const take = <Kind>(plan: Planned<Kind> | undefined, { path, method }: Hit): Kind | undefined => {
  if (!plan || plan.left === 0 || !path.startsWith(plan.path)) return undefined;
  if (plan.method !== undefined && plan.method !== method) return undefined;
  if (plan.left !== null) plan.left -= 1;
  return plan.kind;
};
