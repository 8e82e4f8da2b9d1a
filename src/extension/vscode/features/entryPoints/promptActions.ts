import {
  CodeAction,
  type CodeActionContext,
  CodeActionKind,
  type CodeActionProvider,
  type Command,
  type Diagnostic,
  type Range,
  type TextDocument,
} from 'vscode';
import { t } from '../../../../protocol/language.ts';

/** Offers prompts as code actions, for problems and selected code. */
export class PromptActions implements CodeActionProvider {
  static readonly kinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] as const;

  provideCodeActions(document: TextDocument, range: Range, context: CodeActionContext): CodeAction[] {
    const { diagnostics } = context;
    const about = [document.uri, diagnostics];
    return [
      ...(diagnostics.length > 0
        ? [
            forProblems(t('Fix with Folio'), 'folio.fixProblem', about, diagnostics),
            forProblems(t('Explain with Folio'), 'folio.explainProblem', about, diagnostics),
            forProblems(t('Add to Folio Prompt'), 'folio.addProblem', about, diagnostics),
          ]
        : []),
      ...(range.isEmpty ? [] : selectionActions().map(([title, command]) => forSelection(title, command))),
    ];
  }
}

const selectionActions = () =>
  [
    [t('Edit with Folio…'), 'folio.editSelection'],
    [t('Explain with Folio'), 'folio.explainSelection'],
    [t('Write Tests with Folio'), 'folio.writeTests'],
    [t('Document with Folio'), 'folio.documentSelection'],
  ] as const;

function forProblems(
  title: string,
  command: string,
  about: Command['arguments'],
  diagnostics: readonly Diagnostic[],
): CodeAction {
  const action = new CodeAction(title, CodeActionKind.QuickFix);
  action.diagnostics = [...diagnostics];
  action.command = { title, command, arguments: about };
  return action;
}

function forSelection(title: string, command: string): CodeAction {
  const action = new CodeAction(title, CodeActionKind.RefactorRewrite);
  action.command = { title, command };
  return action;
}
