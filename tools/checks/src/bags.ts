import ts from 'typescript';
import { isSpec, type SourceFile } from './source-files';

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

interface App {
  readonly declared: Map<string, Declaration>;
  /** Types of constructor parameters. */
  readonly taken: Set<string>;
}

/** Names of the properties; methods are operations of a port, not dependencies. */
const properties = (members: ts.NodeArray<ts.TypeElement>): string[] =>
  members.filter(ts.isPropertySignature).map(({ name }) => name.getText());

const picked = (keys: ts.TypeNode | undefined): string[] =>
  [...(keys?.getText() ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name);

const ofReference = (name: string, types: readonly ts.TypeNode[], app: App): string[] => {
  const [of, keys] = types;
  if (name === 'Pick') return picked(keys);
  if (name === 'Omit' && of) return ofType(of, app).filter((member) => !picked(keys).includes(member));
  if ((name === 'Partial' || name === 'Readonly') && of) return ofType(of, app);
  const declaration = app.declared.get(name);
  return declaration ? membersOf(declaration, app) : [];
};

const ofType = (type: ts.TypeNode, app: App): string[] => {
  if (ts.isTypeLiteralNode(type)) return properties(type.members);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((each) => ofType(each, app));
  if (ts.isTypeReferenceNode(type)) return ofReference(type.typeName.getText(), type.typeArguments ?? [], app);
  return [];
};

const membersOf = (declaration: Declaration, app: App): string[] => {
  if (ts.isTypeAliasDeclaration(declaration)) return ofType(declaration.type, app);
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) => types);
  const inherited = bases.flatMap((base) => ofReference(base.expression.getText(), base.typeArguments ?? [], app));
  return [...properties(declaration.members), ...inherited];
};

const read = ({ path, text }: SourceFile, app: App): void => {
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) app.declared.set(node.name.text, node);
    if (ts.isConstructorDeclaration(node))
      for (const { type } of node.parameters)
        if (type && ts.isTypeReferenceNode(type)) app.taken.add(type.typeName.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
};

/** Types of constructor parameters with more than `limit` members, as `<project> <type>` with their number. */
export const bagsOver = (limit: number, files: readonly SourceFile[]): Record<string, number> => {
  const apps = new Map<string, App>();
  for (const file of files.filter(({ path }) => !isSpec(path) && !/\.(fixture|child)\.ts$/.test(path))) {
    const name = file.path.split('/src/')[0] ?? '';
    const app = apps.get(name) ?? { declared: new Map(), taken: new Set() };
    apps.set(name, app);
    read(file, app);
  }
  const sizes = [...apps].flatMap(([name, app]) =>
    [...app.taken].flatMap((type) => {
      const declaration = app.declared.get(type);
      const size = declaration ? new Set(membersOf(declaration, app)).size : 0;
      return size > limit ? [[`${name} ${type}`, size] as const] : [];
    }),
  );
  return Object.fromEntries(sizes.sort(([one], [other]) => one.localeCompare(other)));
};
