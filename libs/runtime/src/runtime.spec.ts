import {
  fixedClock,
  outgoingTraceparent,
  requestContext,
  runInContext,
  startAll,
  stopAll,
  traceIdOf,
  uuidv5,
  uuidv7,
  type Component,
} from './index';

describe('uuidv7', () => {
  it('is of version 7 and strictly increasing within a process', () => {
    const ids = Array.from({ length: 20_000 }, uuidv7);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('uuidv5', () => {
  // RFC 9562 appendix A.4
  it('follows the test vector of the RFC', () =>
    expect(uuidv5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    ));
});

describe('components', () => {
  const recorder = (failing?: string) => {
    const seen: string[] = [];
    const make = (name: string): Component => ({
      name,
      start: async () => {
        seen.push(`start ${name}`);
        if (name === failing) throw new Error('no');
      },
      stop: async () => void seen.push(`stop ${name}`),
    });
    return { seen, components: ['a', 'b', 'c'].map(make) };
  };

  it('start in order and stop in reverse order', async () => {
    const { seen, components } = recorder();
    await startAll(components);
    expect(await stopAll(components)).toEqual([]);
    expect(seen).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('that were started are stopped again when one fails, and the failure names it', async () => {
    const { seen, components } = recorder('b');
    await expect(startAll(components)).rejects.toThrow('b did not start: no');
    expect(seen).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('that fail to stop do not keep the others running', async () => {
    const { seen, components } = recorder();
    components[1] = { name: 'b', stop: () => Promise.reject(new Error('stuck')) };
    expect(await stopAll(components)).toEqual([new Error('stuck')]);
    expect(seen).toEqual(['stop c', 'stop a']);
  });
});

describe('the request context', () => {
  it('follows asynchronous work and ends with it', async () => {
    await runInContext({ requestId: 'r', traceId: 'a'.repeat(32) }, async () => {
      await Promise.resolve();
      expect(requestContext()?.requestId).toBe('r');
      expect(outgoingTraceparent()).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-01$`));
    });
    expect(requestContext()).toBeUndefined();
  });

  it('takes over a good traceparent and replaces a malformed one', () => {
    expect(traceIdOf(`00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`)).toBe('b'.repeat(32));
    expect(traceIdOf('garbage')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('fixedClock', () => {
  it('stands still until it is advanced', () => {
    const clock = fixedClock('2026-11-20T00:00:00Z');
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-11-20T00:00:01.500Z');
  });
});
