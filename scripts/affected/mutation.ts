/** One small fault in the text of a module, which still runs: the other comparison, the other condition, another number. */
import ts from 'typescript';

export type Mutation = {
  /** Where the changed text begins, and what it becomes. */
  at: number;
  was: string;
  now: string;
  line: number;
};

const OTHER = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '+'],
]);

/** Lists every mutation of a module, in the order of its text. Types have none: they are gone when it runs. */
export function mutationsOf(text: string): Mutation[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, now: string) => {
    const at = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(at).line + 1;
    found.push({ at, was: node.getText(source), now, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (node !== source) mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function applyMutation(text: string, { at, was, now }: Mutation): string {
  return text.slice(0, at) + now + text.slice(at + was.length);
}

function mutate(node: ts.Node, add: (node: ts.Node, now: string) => void): void {
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return; // no expression may stand there
  if (ts.isBinaryExpression(node)) {
    const other = OTHER.get(node.operatorToken.kind);
    if (other) add(node.operatorToken, other);
  } else if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText()})`);
  else if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText()})`);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
  else if (ts.isNumericLiteral(node) && /^\d/.test(node.getText())) add(node, `(${node.getText()} + 1)`);
  else if (ts.isBigIntLiteral(node)) add(node, `(${node.getText()} + 1n)`);
}
