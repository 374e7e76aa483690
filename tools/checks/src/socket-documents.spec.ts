import { Parser } from '@asyncapi/parser';
import type { SocketsDocument } from '@platform/http';
import { allServices } from './routes';

const documents = allServices().flatMap(({ name, sockets }) => (sockets ? [[name, sockets()] as const] : []));

/** What AsyncAPI's own parser reports, except that the format has a newer minor version. */
const complaints = async (document: object): Promise<string[]> => {
  const { diagnostics } = await new Parser().parse(JSON.stringify(document));
  return diagnostics
    .filter(({ code }) => code !== 'asyncapi-latest-version')
    .map(({ code, message, path }) => `${String(code)} ${path.join('.')}: ${message}`);
};

/** Targets of internal references that do not exist in the document. */
const dangling = (document: SocketsDocument): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    .map(([, pointer]) => pointer as string)
    .filter((pointer) => {
      let at: unknown = document;
      for (const key of pointer.split('/')) at = (at as Record<string, unknown> | undefined)?.[key];
      return at === undefined;
    });

describe('the descriptions of sockets', () => {
  it('exist for every service with sockets', () =>
    expect(documents.map(([name]) => name)).toEqual(['bot-engine', 'chat-backend', 'commerce-api', 'wa-gateway']));

  it.each(documents)("%s: AsyncAPI's parser reports no problem", async (_, document) =>
    expect(await complaints(document)).toEqual([]),
  );

  it.each(documents)('%s: has no dangling reference', (_, document) => expect(dangling(document)).toEqual([]));

  it.each(documents)(
    '%s: describes the purpose of every operation, and the recipients of every event',
    (_, document) => {
      const mute = Object.entries(document.operations).filter(
        ([, { action, summary, description }]) =>
          summary === '' || (action === 'send' && !/Heard by: .+\./.test(description ?? '')),
      );
      expect(mute).toEqual([]);
    },
  );

  it("are checked for real: AsyncAPI's parser reports an operation on a missing channel", async () => {
    const [[, document] = []] = documents;
    const broken = { ...document, operations: { odd: { action: 'send', channel: { $ref: '#/channels/nowhere' } } } };
    expect(await complaints(broken)).not.toEqual([]);
  });
});
