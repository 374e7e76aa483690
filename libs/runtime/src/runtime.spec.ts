import {
  fixedClock,
  outgoingTraceparent,
  requestContext,
  resume,
  runInContext,
  startAll,
  untilNothingLacks,
  stopAll,
  traced,
  traceIdOf,
  uuidv5,
  uuidv7,
  type Component,
} from './index';

describe('a UUID of version 7 (uuidv7)', () => {
  it('uuidv7 gives version 7, strictly increasing within a process', () => {
    const ids = Array.from({ length: 20_000 }, uuidv7);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a UUID of version 5 (uuidv5)', () => {
  // RFC 9562 appendix A.4
  it('uuidv5 equals the test vector of the RFC', () =>
    expect(uuidv5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    ));
});

describe('components of a service', () => {
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

  it('components start in order and stop in reverse order', async () => {
    const { seen, components } = recorder();
    await startAll(components);
    expect(await stopAll(components)).toEqual([]);
    expect(seen).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('started components are stopped again when one fails, and the failure names it', async () => {
    const { seen, components } = recorder('b');
    await expect(startAll(components)).rejects.toThrow('b did not start: no');
    expect(seen).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('components of an inner list start concurrently, after all before them, and stop one after the other', async () => {
    const { seen, components } = recorder();
    const [a, b, c] = components as [Component, Component, Component];
    const met = new Set<string>();
    let all = () => undefined as void;
    const both = new Promise<void>((resolve) => (all = resolve));
    const waiting = (component: Component): Component => ({
      ...component,
      start: async () => {
        await component.start?.();
        met.add(component.name);
        if (met.size === 2) all();
        await both;
      },
    });
    const stages = [a, [waiting(b), waiting(c)], { name: 'd', start: async () => void seen.push('start d') }];
    await startAll(stages);
    await stopAll(stages);
    expect(seen).toEqual(['start a', 'start b', 'start c', 'start d', 'stop c', 'stop b', 'stop a']);
  });

  it('components of an inner list are all stopped, slow ones too, when one fails to start, and nothing after it starts', async () => {
    const { seen, components } = recorder('b');
    const [a, b, c] = components as [Component, Component, Component];
    let go = () => undefined as void;
    const slow = new Promise<void>((resolve) => (go = resolve));
    const late = { ...c, start: () => slow.then(() => void seen.push('start c')) };
    const starting = startAll([a, [b, late], { name: 'd', start: async () => void seen.push('start d') }]);
    await Promise.resolve().then(go);
    await expect(starting).rejects.toThrow('b did not start: no');
    expect(seen).toEqual(['start a', 'start b', 'stop b', 'start c', 'stop c', 'stop a']);
  });

  it('a failed start is logged, and components started beside it are stopped, before slow ones of its list have settled', async () => {
    const { seen, components } = recorder('b');
    const [a, b, c] = components as [Component, Component, Component];
    let go = () => undefined as void;
    const slow = new Promise<void>((resolve) => (go = resolve));
    const told: unknown[] = [];
    const stopped = new Promise<void>((resolve) => {
      a.stop = async () => (seen.push('stop a'), resolve());
    });
    const late = { ...c, start: () => slow.then(() => void seen.push('start c')) };
    const starting = startAll([[a, b, late]], { error: (...line) => told.push(line) });
    await stopped;
    expect(told).toEqual([['a component did not start: stopping', { component: 'b', cause: new Error('no') }]]);
    expect(seen).not.toContain('start c');
    go();
    await expect(starting).rejects.toThrow('b did not start: no');
    expect(seen).toEqual(['start a', 'start b', 'stop b', 'stop a', 'start c', 'stop c']);
  });

  it('a start that waits tells for what, and is given up when another of its list fails', async () => {
    const told: string[] = [];
    const lacking: Component = {
      name: 'schema',
      start: async (of) => void (await untilNothingLacks(async () => 'old', of)),
    };
    const failing: Component = { name: 'cache', start: () => Promise.reject(new Error('no')) };
    const starting = { waits: (reason: string) => told.push(reason), signal: new AbortController().signal };
    await expect(startAll([[lacking, failing]], undefined, starting)).rejects.toThrow(
      'cache did not start: no; schema did not start: old',
    );
    expect(told).toEqual(['old']);
  });

  it('a start that nobody hears waiting fails with what it lacks', async () => {
    const lacking: Component = {
      name: 'schema',
      start: async (of) => void (await untilNothingLacks(async () => 'old', of)),
    };
    await expect(startAll([lacking])).rejects.toThrow('schema did not start: old');
  });

  it.each([
    ['later', () => Promise.reject(new Error('stuck'))],
    [
      'at once',
      () => {
        throw new Error('stuck');
      },
    ],
  ])('components that fail to stop, %s, do not keep the others running', async (_, stop) => {
    const { seen, components } = recorder();
    components[1] = { name: 'b', stop };
    expect(await stopAll(components)).toEqual([new Error('stuck')]);
    expect(seen).toEqual(['stop c', 'stop a']);
  });
});

describe('the request context', () => {
  it('the request context follows asynchronous work and ends with it', async () => {
    await runInContext({ requestId: 'r', traceId: 'a'.repeat(32) }, async () => {
      await Promise.resolve();
      expect(requestContext()?.requestId).toBe('r');
      expect(outgoingTraceparent()).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-01$`));
    });
    expect(requestContext()).toBeUndefined();
  });

  it('the request context adopts a valid traceparent and replaces a malformed one', () => {
    expect(traceIdOf(`00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`)).toBe('b'.repeat(32));
    expect(traceIdOf('garbage')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('work that a request leaves for later', () => {
  const context = { requestId: 'r', traceId: 'a'.repeat(32) };

  it('goes on in the trace of the request, under an id of its own, until it has ended', async () => {
    const payload = JSON.parse(runInContext(context, () => JSON.stringify(traced({ text: 'hi' })))) as object;
    expect(payload).toEqual({ text: 'hi', _trace: context.traceId });
    let after: unknown = 'unknown';
    const during = await resume(payload, 'job-7', async () => {
      void new Promise(setImmediate).then(() => (after = requestContext()));
      return requestContext();
    });
    expect(during).toEqual({ requestId: 'job-7', traceId: context.traceId });
    await new Promise(setImmediate).then(() => new Promise(setImmediate));
    expect(after).toBeUndefined();
  });

  it.each([{ text: 'hi' }, null, 'text', ['list'], { _trace: 'forged\r\nheader' }, { _trace: 7 }])(
    'has a trace of its own when none was kept: %j',
    async (payload) => {
      const { requestId, traceId } = (await resume(payload, 'job-7', async () => requestContext())) ?? {};
      expect([requestId, traceId]).toEqual(['job-7', expect.stringMatching(/^[0-9a-f]{32}$/)]);
    },
  );

  it('has the trace of its UUID, at every try', async () => {
    const id = '01a1f9ea-7c84-7000-a7c0-f972b1b99fbe';
    expect(await resume({}, id, async () => requestContext())).toEqual({
      requestId: id,
      traceId: '01a1f9ea7c847000a7c0f972b1b99fbe',
    });
  });

  it.each([null, 'text', 7, ['list']])('keeps a payload that is no object as it is: %j', (payload) =>
    expect(runInContext(context, () => traced(payload))).toEqual(payload),
  );
});

describe('a fixed clock (fixedClock)', () => {
  it('fixedClock stands still until it is advanced', () => {
    const clock = fixedClock('2026-11-20T00:00:00Z');
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-11-20T00:00:01.500Z');
  });
});
