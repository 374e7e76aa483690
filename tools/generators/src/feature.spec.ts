import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { connection, generateFeature } from './feature';
import { featureNames } from './feature-names';
import { featureFiles } from './feature-templates';

const workspaceRoot = join(__dirname, '../../..');
const STAMP = 1760000000000;

/** Compiles the files as if they stood in the workspace; the texts of what is wrong in them. */
const problemsIn = (files: Record<string, string>): string[] => {
  const base = join(workspaceRoot, 'tsconfig.base.json');
  const { config } = ts.readConfigFile(base, ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, workspaceRoot, {
    incremental: false,
  });
  const virtual = new Map(Object.entries(files).map(([path, text]) => [join(workspaceRoot, path), text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile, directoryExists } = host;
  host.readFile = (path) => virtual.get(path) ?? readFile(path);
  host.fileExists = (path) => virtual.has(path) || fileExists(path);
  host.directoryExists = (path) =>
    [...virtual.keys()].some((file) => file.startsWith(`${path}/`)) || directoryExists?.(path) === true;
  host.getSourceFile = (path, target, ...rest) => {
    const text = virtual.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...virtual.keys()], options, host);
  return [...virtual.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
};

describe('the feature generator', () => {
  it.each([
    ['chat-backend', 'refund-reasons'],
    ['bot-engine', 'quick-replies'],
  ])(
    'writes code for %s that compiles against the libraries as they are',
    (app, feature) => {
      expect(problemsIn(featureFiles(featureNames(app, feature), STAMP))).toEqual([]);
    },
    60_000,
  );

  it('names everything after the feature', () => {
    expect(featureNames('commerce-api', 'orders/refund-categories')).toEqual({
      app: 'commerce-api',
      folder: 'orders/refund-categories',
      kebab: 'refund-categories',
      one: 'refund-category',
      onePascal: 'RefundCategory',
      camel: 'refundCategories',
      pascal: 'RefundCategories',
      table: 'refund_categories',
      up: '../../../',
    });
  });

  it.each(['Notes', 'my_notes', '../notes', 'a/b/c', 'notes-', ''])('refuses the name "%s"', (name) => {
    expect(() => featureNames('chat-backend', name)).toThrow('use kebab-case');
  });

  it('tells the one line that mounts the feature and what the data source needs', () => {
    expect(connection(featureNames('chat-backend', 'notes'), STAMP)).toBe(
      `Add to apps/chat-backend/src/source.composition.ts, to the endpoints:
  ...notesEndpoints(new NotesService(new NotesRepository(database))),

and to apps/chat-backend/src/data-source.ts, to the entities and at the end of the migrations:
  Note (./features/notes/note.entity), CreateNotes1760000000000 (./migrations/1760000000000-create-notes)`,
    );
  });
});

describe('generateFeature', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'generate-'));
    mkdirSync(join(root, 'apps/chat-backend'), { recursive: true });
    mkdirSync(join(root, 'apps/commerce-api'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('writes a folder in the shape of every feature, and its migration', () => {
    expect(generateFeature(featureNames('chat-backend', 'notes'), STAMP, root)).toEqual([
      'apps/chat-backend/src/features/notes/notes.endpoints.ts',
      'apps/chat-backend/src/features/notes/notes.dto.ts',
      'apps/chat-backend/src/features/notes/notes.service.ts',
      'apps/chat-backend/src/features/notes/notes.repository.ts',
      'apps/chat-backend/src/features/notes/note.entity.ts',
      'apps/chat-backend/src/features/notes/notes.spec.ts',
      'apps/chat-backend/src/migrations/1760000000000-create-notes.ts',
    ]);
    expect(readFileSync(join(root, 'apps/chat-backend/src/features/notes/note.entity.ts'), 'utf8')).toContain(
      "@Entity('notes')",
    );
  });

  it('writes nothing when a file exists', () => {
    generateFeature(featureNames('chat-backend', 'notes'), STAMP, root);
    rmSync(join(root, 'apps/chat-backend/src/features/notes/notes.dto.ts'));
    expect(() => generateFeature(featureNames('chat-backend', 'notes'), STAMP, root)).toThrow('Nothing was written');
    expect(existsSync(join(root, 'apps/chat-backend/src/features/notes/notes.dto.ts'))).toBe(false);
  });

  it('lists the apps when there is none of that name', () => {
    expect(() => generateFeature(featureNames('chat', 'notes'), STAMP, root)).toThrow(
      'There is no app chat. Apps: chat-backend, commerce-api.',
    );
  });

  it('asks for an area in commerce-api', () => {
    expect(() => generateFeature(featureNames('commerce-api', 'notes'), STAMP, root)).toThrow(
      'generate commerce-api <area>/notes',
    );
  });
});
