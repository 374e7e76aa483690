export interface HeardEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, string | number>>;
}

const eventOf = (block: string): HeardEvent | undefined => {
  const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  return name === '' ? undefined : { name, data: JSON.parse(data) as HeardEvent['data'] };
};

/** What a browser hears from a page that lives; `status` is that of a refusal, too. */
export const openEvents = async (url: string, path: string, cookie: string) => {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { accept: 'text/event-stream', cookie };
  const answer = await fetch(url + path, { headers, signal, redirect: 'manual' });
  const events: HeardEvent[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    if (!answer.ok || !answer.body) return;
    for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.flatMap((block) => eventOf(block) ?? []));
    }
  };
  let isOver = false;
  const over = read()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    /** All that was sent as HTML, in its order. */
    html: () => events.flatMap(({ data: { html } }) => html ?? []).join('\n'),
    isOver: () => isOver,
    over,
    close: async () => {
      controller.abort();
      await over;
    },
  };
};
export type Events = Awaited<ReturnType<typeof openEvents>>;
