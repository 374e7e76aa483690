import type { JsonSchema } from '@platform/validation';
import type { ComponentChildren, JSX } from 'preact';
import { rendered } from './rendered';
import type { Page } from './replies';

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly action: 'send' | 'receive';
  readonly summary: string;
  readonly description?: string;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly messages: readonly Reference[] };
}

/** The AsyncAPI 3 description of a service's sockets, as far as its page shows it. */
export interface SocketsDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: JsonSchema }>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1.5rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #ddd; }
  code { background: #f3f3f5; padding: 0 0.2rem; }
  :target { background: #fff6d6; }`;

const lastOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** A type in words; what has a name of its own is a link to it. */
const Type = ({ schema }: { schema: JsonSchema }): JSX.Element => {
  if (typeof schema.$ref === 'string') {
    const name = lastOf({ $ref: schema.$ref });
    return <a href={`#${name}`}>{name}</a>;
  }
  const variants = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[] | undefined;
  if (variants)
    return (
      <>
        {variants.map((variant, at) => (
          <>
            {at > 0 ? ' or ' : ''}
            <Type schema={variant} />
          </>
        ))}
      </>
    );
  if (Array.isArray(schema.enum)) return <code>{schema.enum.map((value) => JSON.stringify(value)).join(' | ')}</code>;
  if (schema.type === 'array')
    return (
      <>
        list of <Type schema={(schema.items ?? {}) as JsonSchema} />
      </>
    );
  return <>{[schema.type ?? 'anything'].flat().join(' or ')}</>;
};

const Fields = ({ schema }: { schema: JsonSchema }): JSX.Element => {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as readonly string[];
  if (fields.length === 0) return <p>An object without fields.</p>;
  return (
    <table>
      {fields.map(([name, field]) => (
        <tr>
          <td>
            <code>{name}</code>
            {required.includes(name) ? '' : ' (may be absent)'}
          </td>
          <td>
            <Type schema={field} />
          </td>
          <td>{String(field.description ?? '')}</td>
        </tr>
      ))}
    </table>
  );
};

const Operations = ({
  document,
  action,
  title,
}: { document: SocketsDocument } & Record<'action' | 'title', string>) => {
  const payload = (reference: Reference): JSX.Element => (
    <Type schema={document.components.messages[lastOf(reference)]?.payload ?? {}} />
  );
  const rows = Object.entries(document.operations).filter(([, operation]) => operation.action === action);
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? <p>None.</p> : null}
      {rows.map(([name, { summary, description, messages, reply }]) => (
        <article id={`operation-${name}`}>
          <h3>
            <code>{name}</code>
          </h3>
          <p>
            {summary}. {description}
          </p>
          <p>
            Payload: {messages.map(payload)}
            {reply ? <> · Acknowledgement: {reply.messages.map(payload)}</> : null}
          </p>
        </article>
      ))}
    </section>
  );
};

const Shell = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <style>{STYLE}</style>
    </head>
    <body>{children}</body>
  </html>
);

/** The same description for people; `source` is where the document stands. */
export const socketsPage = (document: SocketsDocument, source: string): Page =>
  rendered(
    <Shell title={document.info.title}>
      <h1>{document.info.title}</h1>
      <p>{document.info.description}</p>
      {Object.values(document.components.securitySchemes).map(({ description }) => (
        <p>
          <code>auth.token</code> of the handshake: {description}
        </p>
      ))}
      <p>
        For programs: <a href={source}>{source}</a> (AsyncAPI 3).
      </p>
      <Operations document={document} action="send" title="What the service tells" />
      <Operations document={document} action="receive" title="What a client may ask" />
      <h2>Payloads</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section id={name}>
          <h3>{name}</h3>
          <Fields schema={schema} />
        </section>
      ))}
    </Shell>,
  );
