/** What an endpoint returns; only the server writes to the socket. */
export type WireAnswer =
  { readonly json: unknown } | { readonly text: string } | { readonly events: readonly ServerEvent[] };

/** One server-sent event. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

export const eventText = ({ event, data }: ServerEvent): string =>
  `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`;

/** Cuts a text into the pieces that a streaming model would send. */
export const pieces = (text: string, size = 16): string[] => {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
};

/** Fixed, because the same request must get the same answer: 2026-01-01T00:00:00Z. */
export const CREATED = 1_767_225_600;
