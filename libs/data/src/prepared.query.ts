import { Query, types, type Connection, type QueryConfig, type Submittable } from 'pg';

type Write = (message?: object) => void;

/** What the driver hands to a query: its own methods, whose types lack half of them. */
interface Wire extends Record<'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync', Write> {
  readonly stream: Connection['stream'];
  /** Text of each statement that the session knows, by name; the driver adds to it. */
  readonly parsedStatements: Readonly<Record<string, string>>;
}

const ignore: Write = () => undefined;

/** How the driver writes parameters. It is not exported with types, but handed to every connection that binds some. */
const driversMapper = (): unknown => {
  let mapper: unknown;
  const bind = ({ valueMapper }: { valueMapper?: unknown } = {}): void => void (mapper = valueMapper);
  const deaf = { stream: {}, parsedStatements: {}, submittedNamedStatements: {}, parse: ignore, bind };
  const wire = { ...deaf, describe: ignore, execute: ignore, sync: ignore };
  new Query({ name: 'none', text: 'none', values: [] }).submit(wire as unknown as Connection);
  return mapper;
};
const valueMapper = driversMapper();

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

const UNDONE = 'The transaction was rolled back: a statement of it had failed, of which its work did not tell.';

interface Described {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What is known of a connection. */
interface Session {
  /** Columns of the statements that it has described, by name. */
  readonly columns: Map<string, readonly Column[]>;
  /** Names that were sent and not prepared: the server skips what follows an error. */
  readonly skipped: Set<string>;
}
const sessions = new WeakMap<Wire, Session>();

const sessionOn = (wire: Wire): Session => {
  const session = sessions.get(wire) ?? { columns: new Map(), skipped: new Set() };
  sessions.set(wire, session);
  return session;
};

/**
 * Statements as the driver sends them, in one write, and the rows of the last: as each write costs as much as a small statement, those
 * before it, whose rows nobody reads, cost nothing on the way. When one fails the server does none of those after it.
 *
 * One alone costs two thirds of what it costs the driver (measured; a quarter of what a small statement costs the service): its columns are
 * described once per connection, not at every execution. A session's prepared statement never changes them: PostgreSQL refuses its plan
 * instead. A pooler's may, so `once` is false there.
 */
export class PreparedQuery<Row> implements Submittable {
  /** The driver puts its own around it when a limit of time is set. */
  callback: (failure: Error | null) => void;
  /** Settles when the session is ready for the next statement. */
  readonly answer: Promise<Row[]>;
  /** How many of them are done. */
  done = 0;
  private readonly rows: Row[] = [];
  private columns: readonly Column[] | undefined;
  private session: Session | undefined;
  /** Names that it has sent to be prepared, with their texts. */
  private readonly parsed = new Map<string, string>();
  private failure: Error | null = null;

  constructor(
    readonly statements: readonly QueryConfig[],
    private readonly once: boolean,
  ) {
    let settle: PreparedQuery<Row>['callback'] = () => undefined;
    this.answer = new Promise((resolve, reject) => {
      settle = (failure) => (failure ? reject(failure) : resolve(this.rows));
    });
    this.callback = settle;
  }

  /** Of the statement that is under way: the driver notes that it is prepared when the server says so. */
  get name(): string {
    return this.statements[this.done]?.name ?? '';
  }

  get text(): string {
    return this.statements[this.done]?.text ?? '';
  }

  submit(connection: Connection): Error | null {
    const wire = connection as unknown as Wire;
    this.session = sessionOn(wire);
    wire.stream.cork();
    try {
      this.write(wire);
    } catch (unwritable) {
      // A value or a name that cannot be sent: its statement was not bound, and those after it not sent
      this.failure = unwritable as Error;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
    return null;
  }

  private write(wire: Wire): void {
    const { parsed } = this;
    for (const [at, { name = '', text, values }] of this.statements.entries()) {
      const known = parsed.get(name) ?? wire.parsedStatements[name];
      if (known === undefined) this.parse(wire, name, text);
      else if (known !== text)
        throw new Error(`Prepared statements must be unique: '${name}' was used for a different statement`);
      if (name !== '') parsed.set(name, text);
      wire.bind({ statement: name, values, valueMapper });
      if (at === this.statements.length - 1) {
        if (known !== undefined && this.once) this.columns = this.session?.columns.get(name);
        if (!this.columns) wire.describe({ type: 'P' });
      }
      wire.execute();
    }
  }

  /** PgBouncer takes a name as known once it was sent, also where the server skipped it after an error, and ends a connection that sends it again. */
  private parse(wire: Wire, name: string, text: string): void {
    if (this.session?.skipped.delete(name)) wire.close({ type: 'S', name });
    wire.parse({ text, name });
  }

  handleRowDescription({ fields }: Described): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, read: types.getTypeParser(dataTypeID, 'text') }));
    this.session?.columns.set(this.name, this.columns);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns = [] } = this;
    if (this.done < this.statements.length - 1) return;
    const row: Record<string, unknown> = {};
    try {
      for (let n = 0; n < columns.length; n++) {
        const { name, read } = columns[n] as Column;
        const text = fields[n] as string | null;
        row[name] = text === null ? null : read(text);
      }
      this.rows.push(row as Row);
    } catch (unreadable) {
      this.failure ??= unreadable as Error;
    }
  }

  /** The driver asks for nothing more after an error, not even whether the session is ready. */
  handleError(failure: Error): void {
    const prepared = this.statements.slice(0, this.done).map(({ name }) => name);
    for (const name of this.parsed.keys()) if (!prepared.includes(name)) this.session?.skipped.add(name);
    this.callback(this.failure ?? failure);
  }

  handleReadyForQuery(): void {
    this.callback(this.failure);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // PostgreSQL calls it no failure
    if (this.text === 'COMMIT' && text === 'ROLLBACK') this.failure = new Error(UNDONE);
    this.done += 1;
  }

  handleEmptyQuery(): void {
    this.done += 1;
  }
}
