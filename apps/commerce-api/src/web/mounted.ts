import type { Endpoint } from '@platform/http';

interface Known {
  readonly guard: string;
  /** The addresses that it stands for. */
  readonly pattern: RegExp;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Which addresses have a page: known once all pages are made, asked when one is shown. */
export class MountedPages {
  private readonly named = new Map<string, string>();
  private readonly patterns: Known[] = [];

  add(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    for (const { method, path, guard } of endpoints) {
      if (method !== 'get') continue;
      this.named.set(path, guard);
      if (path.includes('{')) this.patterns.push({ guard, pattern: patternOf(path) });
    }
    return endpoints;
  }

  /** The guard of the page at this address; undefined: there is none. What is named goes before what stands for many. */
  guardOf(path: string): string | undefined {
    return this.named.get(path) ?? this.patterns.find(({ pattern }) => pattern.test(path))?.guard;
  }
}
