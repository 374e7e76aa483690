import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateFeature } from './feature';
import { featureNames } from './feature-names';
import { withElements, withImport } from './list-edit';

const workspaceRoot = join(__dirname, '../../..');

describe('the names of a feature', () => {
  it('derive from the requested name', () => {
    expect(featureNames('orders/refund-categories')).toEqual({
      folder: 'orders/refund-categories',
      area: 'orders',
      kebab: 'refund-categories',
      snake: 'refund_categories',
      all: 'refundCategories',
      All: 'RefundCategories',
      one: 'refund category',
      One: 'RefundCategory',
      one_snake: 'refund_category',
      many: 'refund categories',
      Many: 'RefundCategories',
      many_snake: 'refund_categories',
      up: '../../../',
    });
  });

  it.each([
    ['greeting', 'Greeting', 'Greetings'],
    ['businesses', 'Business', 'Businesses'],
    ['news', 'News', 'News'],
    ['status', 'Status', 'Statuses'],
    ['addresses', 'Address', 'Addresses'],
    ['series', 'Series', 'Series'],
    ['data', 'Datum', 'Data'],
    ['people', 'Person', 'People'],
    ['day-offs', 'DayOff', 'DayOffs'],
    ['quick-replies', 'QuickReply', 'QuickReplies'],
  ])('of %s are %s in the singular and %s in the plural', (name, One, Many) =>
    expect(featureNames(name)).toMatchObject({ One, Many }),
  );

  it.each(['Notes', 'my_notes', '../notes', 'a/b/c', 'notes-', ''])('cannot come from "%s"', (name) => {
    expect(() => featureNames(name)).toThrow('use kebab-case');
  });
});

describe('generating a feature (generateFeature)', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'generate-'));
    mkdirSync(join(root, 'apps'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** The app of the workspace once more, to be written to; the packages that npm installed below it are many times its size. */
  const copy = (app: string): void => {
    for (const part of ['src', 'feature.template.ts']) {
      const source = join(workspaceRoot, 'apps', app, part);
      if (existsSync(source)) cpSync(source, join(root, 'apps', app, part), { recursive: true });
    }
  };

  const everything = () =>
    readdirSync(join(root, 'apps'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const refused = (app: string, feature: string, reason: string) => {
    const before = everything();
    expect(() => generateFeature(app, feature, root)).toThrow(reason);
    expect(everything()).toEqual(before);
  };

  it('writes endpoints, statements, tests and a migration, and connects them', () => {
    copy('chat-backend');
    const { files } = generateFeature('chat-backend', 'notes', root);
    const stamp = /migrations\/(\d+)-/.exec(files[3] ?? '')?.[1];
    expect(files).toEqual([
      'apps/chat-backend/src/features/notes/notes.endpoints.ts',
      'apps/chat-backend/src/features/notes/notes.sql.ts',
      'apps/chat-backend/src/features/notes/notes.spec.ts',
      `apps/chat-backend/src/migrations/${stamp}-create-notes.ts`,
      'apps/chat-backend/src/source.composition.ts',
      'apps/chat-backend/src/data-source.ts',
      'apps/chat-backend/src/walk.cases.fixture.ts',
    ]);
    const text = (file: string) => readFileSync(join(root, 'apps/chat-backend/src', file), 'utf8');
    expect(text('source.composition.ts')).toContain('{ endpoints: notesEndpoints(database), components: [] },');
    expect(text('data-source.ts')).toContain(`CreateNotes${stamp},`);
  });

  it('mounts what belongs to an area in its composition, with the abilities of the area', () => {
    copy('commerce-api');
    generateFeature('commerce-api', 'catalogue/refund-reasons', root);
    const text = (file: string) => readFileSync(join(root, 'apps/commerce-api/src/features/catalogue', file), 'utf8');
    expect(text('catalogue.composition.ts')).toContain('...refundReasonsEndpoints(database)');
    expect(text('catalogue.composition.ts')).toContain("from './refund-reasons/refund-reasons.endpoints'");
    expect(text('catalogue.abilities.ts')).toContain("'refund_reason.read', 'refund_reason.write'");
  });

  it.each([
    ['chat', 'notes', 'There is no app chat. Apps: '],
    ['commerce-api', 'notes', 'generate commerce-api <area>/notes'],
    ['chat-backend', 'inbox/notes', 'chat-backend has no areas: generate chat-backend notes'],
    ['chat-backend', 'inbox', 'features/inbox exists'],
    ['chat-backend', 'customer', 'has the table customers already'],
    ['wa-gateway', 'status', 'has the table status already'],
    ['commerce-api', 'elsewhere/memos', 'features/elsewhere/elsewhere.composition.ts is missing'],
    ['commerce-api', 'catalogue/orders', 'would be called order, which PostgreSQL keeps for itself'],
    ['wa-gateway', 'typing', 'has the route /api/typing already'],
    ['store-auth', 'logout', 'endpoints.ts: there is a logoutEndpoints already: choose another name'],
  ])('refuses %s %s and writes nothing', (app, feature, reason) => {
    copy(app);
    refused(app, feature, reason);
  });

  it('refuses a name whose classes the app already has, such as in the other number', () => {
    copy('chat-backend');
    generateFeature('chat-backend', 'notes', root);
    refused('chat-backend', 'note', 'has the class NewNote, NoteView or NotesQuery already');
  });

  it('refuses an app whose app.ts is full, with what to do', () => {
    copy('ads-api');
    const file = join(root, 'apps/ads-api/src/app.ts');
    writeFileSync(file, `${readFileSync(file, 'utf8')}${'//\n'.repeat(80)}`);
    refused('ads-api', 'notes', 'app.ts has no room left below its 80 lines');
  });

  it('names the missing feature template of an app', () => {
    mkdirSync(join(root, 'apps/new-app'));
    refused('new-app', 'notes', 'apps/new-app/feature.template.ts is missing');
  });
});

describe('editing a list in a source file', () => {
  it.each([
    ['const list = [];', 'const list = [b,];'],
    ['const list = [a];', 'const list = [a, b,];'],
    ['const list = [\n  a,\n];', 'const list = [\n  a,b,\n];'],
    ['const list = [a] as const;', 'const list = [a, b,] as const;'],
    ['const x = { list: [a] };', 'const x = { list: [a, b,] };'],
    ['const list = () => {\n  return [a];\n};', 'const list = () => {\n  return [a, b,];\n};'],
  ])('adds to %s', (text, expected) => expect(withElements(text, 'list', 'b')).toBe(expected));

  it('names the missing list', () =>
    expect(() => withElements('const other = [];', 'list', 'b')).toThrow('there is no list called list'));

  it('adds an import after the others and refuses a name that is already taken', () => {
    expect(withImport("import { a } from './a';\nuse(a);\n", 'b', './b')).toBe(
      "import { a } from './a';\nimport { b } from './b';\nuse(a);\n",
    );
    expect(() => withImport("import { a } from './a';", 'a', './b')).toThrow(
      'there is a a already: choose another name',
    );
  });
});
