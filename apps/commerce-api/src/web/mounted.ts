import type { Endpoint } from '@platform/http';

interface Known {
  readonly endpoint: Endpoint;
  /** The addresses that it stands for. */
  readonly pattern: RegExp;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Which addresses have a page: known once all pages are made, asked when one is shown. */
export class MountedPages {
  private readonly known: Known[] = [];

  add(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    for (const endpoint of endpoints)
      if (endpoint.method === 'get') this.known.push({ endpoint, pattern: patternOf(endpoint.path) });
    return endpoints;
  }

  /** The guard of the page at this address; undefined: there is none. What is named goes before what stands for many. */
  guardOf(path: string): string | undefined {
    const found =
      this.known.find(({ endpoint }) => endpoint.path === path) ?? this.known.find(({ pattern }) => pattern.test(path));
    return found?.endpoint.guard;
  }
}
