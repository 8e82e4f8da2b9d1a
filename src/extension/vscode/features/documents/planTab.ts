/* The file of a plan in the editor. Loaded with the first plan. */

import {
  type Disposable,
  type Tab,
  TabInputText,
  type TextDocument,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { headOf } from '../../../base/text.ts';
import { planLimit } from '../../../core/plan/approvedPlan.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { allTabs, closeTabs } from '../../tabs.ts';

/**
 * Opens a plan next to the user's editor and leaves the focus in the panel. A revised plan reuses the tab of the one it
 * replaces; an approved one closes its tab.
 */
export class PlanTab {
  private shown: string | undefined;
  /** Follows the text of the shown plan, saved or not. */
  private edits: Disposable | undefined;
  private readonly panel: Pick<PanelView, 'notify'>;

  constructor(panel: Pick<PanelView, 'notify'>) {
    this.panel = panel;
  }

  async follow(event: SessionEvent): Promise<void> {
    if (event.type === 'plan.written') {
      const before = this.shown;
      this.shown = event.path;
      this.followEdits(event.path);
      const viewColumn = before === undefined ? undefined : findTab(before)?.group.viewColumn;
      await showPlan(event.path, { preserveFocus: true, viewColumn });
      if (before !== undefined) await closePlan(before);
    }
    if (event.type === 'plan.decided') {
      await savePlan(event.path);
      if (event.approved) {
        this.forget();
        await closePlan(event.path);
      }
    }
  }

  /** A plan of another session replaces none. */
  forget(): void {
    this.shown = undefined;
    this.edits?.dispose();
  }

  /** The card shows what would be approved now. */
  private followEdits(path: string): void {
    this.edits?.dispose();
    this.edits = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || document.uri.toString() !== Uri.file(path).toString()) return;
      const text = headOf(document.getText(), planLimit);
      this.panel.notify(() => ({ type: 'plan.told', path, text }));
    });
  }
}

/** Opens the newest plan for reading and editing. */
export async function openPlan({ state }: ActiveSession): Promise<void> {
  if (!state.plan) {
    void window.showInformationMessage(t('This session has no plan.'));
    return;
  }
  try {
    await showPlan(state.plan.path, { preserveFocus: false });
  } catch {
    // VS Code's message would name an internal error.
    void window.showInformationMessage(t('The file of the plan is not there any more.'));
  }
}

interface Showing {
  readonly preserveFocus: boolean;
  /** Defaults to beside the active editor. */
  readonly viewColumn?: ViewColumn;
}

async function showPlan(path: string, showing: Showing): Promise<void> {
  const uri = Uri.file(path);
  const viewColumn = findTab(path)?.group.viewColumn ?? showing.viewColumn ?? ViewColumn.Beside;
  await window.showTextDocument(await workspace.openTextDocument(uri), {
    viewColumn,
    preserveFocus: showing.preserveFocus,
    preview: false,
  });
}

/** Saves the file first, since its content was approved. */
async function savePlan(path: string): Promise<void> {
  const document = findDocument(path);
  if (document?.isDirty) await document.save();
}

/** Closes the plan's tabs, unless it was edited since the decision. */
async function closePlan(path: string): Promise<void> {
  // Right after a save a tab still counts as modified.
  if (!findDocument(path)?.isDirty) await closeTabs(tab => isOf(tab, path));
}

function findDocument(path: string): TextDocument | undefined {
  const wanted = Uri.file(path).toString();
  return workspace.textDocuments.find(({ uri }) => uri.toString() === wanted);
}

function findTab(path: string): Tab | undefined {
  return allTabs().find(tab => isOf(tab, path));
}

function isOf({ input }: Tab, path: string): boolean {
  return input instanceof TabInputText && input.uri.toString() === Uri.file(path).toString();
}
