import ts from 'typescript';

const parsed = (text: string): ts.SourceFile => ts.createSourceFile('edited.ts', text, ts.ScriptTarget.Latest, true);

const firstList = (node: ts.Node): ts.ArrayLiteralExpression | undefined =>
  ts.isArrayLiteralExpression(node) ? node : ts.forEachChild(node, firstList);

/** The list that a variable or member of this name holds, or that a function of this name returns. */
const listCalled = (node: ts.Node, name: string): ts.ArrayLiteralExpression | undefined => {
  const named = (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.name.getText() === name;
  return (
    (named && node.initializer && firstList(node.initializer)) ||
    ts.forEachChild(node, (each) => listCalled(each, name))
  );
};

/** Source text with `elements` appended to the list `name`. Throws when there is no such list. */
export const withElements = (text: string, name: string, elements: string): string => {
  const list = listCalled(parsed(text), name);
  if (!list) throw new Error(`there is no list called ${name}`);
  const comma = list.elements.length > 0 && !list.elements.hasTrailingComma ? ', ' : '';
  const end = list.elements.length > 0 ? list.elements.end : list.getEnd() - 1;
  return `${text.slice(0, end)}${comma}${elements},${text.slice(end)}`;
};

/** Source text with one more import after the others. Throws when the file already contains that name. */
export const withImport = (text: string, name: string, from: string): string => {
  const imports = parsed(text).statements.filter(ts.isImportDeclaration);
  if (new RegExp(`\\b${name}\\b`).test(text)) throw new Error(`there is a ${name} already: choose another name`);
  const end = imports.at(-1)?.getEnd() ?? 0;
  return `${text.slice(0, end)}\nimport { ${name} } from '${from}';${text.slice(end)}`;
};
