import { Query, types, type Connection, type QueryConfig, type Submittable } from 'pg';

type Write = (message?: object) => void;

/** What the driver hands to a query: its own methods, whose types lack half of them. */
interface Wire extends Record<'parse' | 'bind' | 'describe' | 'execute' | 'sync', Write> {
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

interface Described {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** Columns of the statements that a connection has described, by name. */
const described = new WeakMap<Wire, Map<string, readonly Column[]>>();

const columnsOn = (wire: Wire): Map<string, readonly Column[]> => {
  const known = described.get(wire) ?? new Map<string, readonly Column[]>();
  described.set(wire, known);
  return known;
};

/**
 * A named statement as the driver sends it, at two thirds of the cost (measured; a quarter of what a small statement costs
 * the service): its columns are described once per connection, not at every execution. A session's prepared statement never
 * changes them: PostgreSQL refuses its plan instead. A pooler's may, so `once` is false there.
 */
export class PreparedQuery<Row> implements Submittable {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** The driver puts its own around it when a limit of time is set. */
  callback: (failure: Error | null) => void;
  /** Settles when the session is ready for the next statement. */
  readonly answer: Promise<Row[]>;
  private readonly rows: Row[] = [];
  private columns: readonly Column[] | undefined;
  private known: Map<string, readonly Column[]> | undefined;
  private failure: Error | null = null;

  constructor(
    { name = '', text = '', values = [] }: QueryConfig,
    private readonly once: boolean,
  ) {
    this.name = name;
    this.text = text;
    this.values = values;
    let settle: PreparedQuery<Row>['callback'] = () => undefined;
    this.answer = new Promise((resolve, reject) => {
      settle = (failure) => (failure ? reject(failure) : resolve(this.rows));
    });
    this.callback = settle;
  }

  submit(connection: Connection): Error | null {
    const wire = connection as unknown as Wire;
    const prepared = wire.parsedStatements[this.name];
    if (prepared !== undefined && prepared !== this.text)
      return new Error(`Prepared statements must be unique: '${this.name}' was used for a different statement`);
    this.known = columnsOn(wire);
    if (prepared !== undefined && this.once) this.columns = this.known.get(this.name);
    wire.stream.cork();
    try {
      if (prepared === undefined) wire.parse({ text: this.text, name: this.name });
      wire.bind({ statement: this.name, values: this.values, valueMapper });
      if (!this.columns) wire.describe({ type: 'P' });
      wire.execute();
    } catch (unwritable) {
      // A value that cannot be written: nothing was bound
      this.failure = unwritable as Error;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: Described): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, read: types.getTypeParser(dataTypeID, 'text') }));
    this.known?.set(this.name, this.columns);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns = [] } = this;
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
    this.callback(this.failure ?? failure);
  }

  handleReadyForQuery(): void {
    this.callback(this.failure);
  }

  handleCommandComplete(): void {
    // How many rows there were is seen by the rows
  }

  handleEmptyQuery(): void {
    // No statement, no rows
  }
}
