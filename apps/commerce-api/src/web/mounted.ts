import type { Endpoint } from '@platform/http';

type Method = Endpoint['method'];

/** `/orders/{id}` as the addresses that it stands for. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Which addresses have a page: known once all pages are made, asked when one is shown. */
export class MountedPages {
  private readonly patterns: (readonly [Method, RegExp])[] = [];

  add(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    for (const { method, path } of endpoints) this.patterns.push([method, patternOf(path)]);
    return endpoints;
  }

  has(path: string, method: Method = 'get'): boolean {
    return this.patterns.some(([known, pattern]) => known === method && pattern.test(path));
  }
}
