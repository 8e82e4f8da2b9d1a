/* The list of additions to Folio, which the user can view, decide on and disable. Loaded on first use. */

import {
  commands,
  type QuickInputButton,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  window,
  workspace,
} from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { isAbortError, messageOf } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text.ts';
import type { ConsentState } from '../../../core/consent/consentService.ts';
import type { ListedCustomization } from '../../../core/customizations/customizations.ts';
import type { LoadedCustomizations } from '../../../core/customizations/loadedCustomizations.ts';
import { exampleCommand, openOrCreate } from '../newFile.ts';
import { openDefiningFile } from '../openDefiningFile.ts';
import { type CustomizationRow, type CustomizationToggle, customizationRows } from './customizationRows.ts';
import type { WindowCustomizations } from './windowCustomizations.ts';

interface AdditionChoice extends QuickPickItem {
  readonly choose?: () => unknown;
  readonly toggle?: CustomizationToggle;
}

/** Runs a slash command. Returns a sentence on why it was not run. */
export type RunSlashCommand = (command: string) => Promise<string | undefined>;

/**
 * Choosing a row opens its file; its button enables or disables it here. The last rows add another one, so that an
 * empty list tells what to do.
 */
export async function showCustomizations(
  additions: WindowCustomizations,
  run: RunSlashCommand,
): Promise<void> {
  const known = await additions.get();
  await known.refresh();
  const chosen = await pick(additions, known, run);
  await chosen?.choose?.();
}

function pick(
  additions: WindowCustomizations,
  known: LoadedCustomizations,
  run: RunSlashCommand,
): Promise<AdditionChoice | undefined> {
  const list = window.createQuickPick<AdditionChoice>();
  list.title = t('Servers, commands, agents and skills');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  const show = () => {
    const choices = [...choicesOf(known), ...ways(run)];
    list.placeholder =
      known.all.list.length === 0
        ? t('Nothing added yet. Choose what to add')
        : t('Choose one to open its file');
    if (textOf(choices) === textOf(list.items)) return;
    // Keeps the user's position in a long list.
    list.keepScrollPosition = true;
    list.items = choices;
  };
  show();
  const following = additions.onDidRefresh(show);
  return new Promise(resolve => {
    list.onDidTriggerItemButton(async ({ item: { toggle } }) => {
      if (!toggle) return;
      list.busy = true;
      try {
        await known.switch(toggle.names, toggle.to);
        show();
      } catch (error) {
        void window.showWarningMessage(t('It could not be kept: {0}', messageOf(error)));
      } finally {
        list.busy = false;
      }
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems[0]);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      following.dispose();
      list.dispose();
    });
    list.show();
  });
}

/** Rows that add something, with the place where Folio looks for it. */
function ways(run: RunSlashCommand): readonly AdditionChoice[] {
  const create = (command: string) => async () => {
    const refusal = await run(command).catch(error => {
      if (!isAbortError(error)) throw error;
    });
    if (refusal) void window.showWarningMessage(refusal);
  };
  const command = ['.gemini', 'commands', 'my-command.toml'];
  return [
    { label: t('Add'), kind: QuickPickItemKind.Separator },
    {
      label: `$(add) ${t('Add MCP server…')}`,
      detail: t('In .gemini/settings.json, .mcp.json, .vscode/mcp.json or the setting folio.mcpServers'),
      choose: () => commands.executeCommand('folio.addServer'),
    },
    {
      label: `$(add) ${t('Create command…')}`,
      detail: t('A prompt that you need again, in {0}', '.gemini/commands'),
      choose: () => openOrCreate(command, exampleCommand),
    },
    {
      label: `$(add) ${t('Create agent…')}`,
      detail: t('An agent for tasks of one kind, in {0}', '.gemini/agents'),
      choose: create('/agents create'),
    },
    {
      label: `$(add) ${t('Create skill…')}`,
      detail: t('Instructions that the model loads when it needs them, in {0}', '.gemini/skills'),
      choose: create('/skills create'),
    },
    {
      label: `$(extensions) ${t('Install an extension of the agent…')}`,
      choose: () => commands.executeCommand('folio.manageExtensions'),
    },
  ];
}

function textOf(choices: readonly AdditionChoice[]): string {
  return JSON.stringify(
    choices.map(({ label, description, detail, toggle }) => [label, description, detail, toggle?.to]),
  );
}

function choicesOf(known: LoadedCustomizations): readonly AdditionChoice[] {
  const { list } = known.all;
  return [
    ...decisions(known, idsOf(list, 'waiting')),
    ...second(known, idsOf(list, 'refused')),
    ...customizationRows(list, known.switchedOff, path => workspace.asRelativePath(path)).map(toChoice),
    ...problems(known),
  ];
}

function toChoice(row: CustomizationRow): AdditionChoice {
  if (row.kind === 'heading') return { label: row.label, kind: QuickPickItemKind.Separator };
  const { label, description, detail, path, toggle } = row;
  return {
    label,
    description,
    detail,
    choose: () => openDefiningFile(path),
    toggle,
    buttons: toggle && [buttonOf(toggle)],
  };
}

function buttonOf({ to, tooltip }: CustomizationToggle): QuickInputButton {
  return { iconPath: new ThemeIcon(to === 'off' ? 'circle-slash' : 'check'), tooltip };
}

function idsOf(list: readonly ListedCustomization[], wanted: ConsentState): readonly string[] {
  return list.flatMap(({ id, state }) => (id !== undefined && state === wanted ? [id] : []));
}

function decisions(
  { all: { consent } }: LoadedCustomizations,
  shown: readonly string[],
): readonly AdditionChoice[] {
  if (shown.length === 0) return [];
  return [
    {
      label: `$(check) ${plural(shown.length, 'one: Allow {0} item from this workspace | other: Allow {0} items from this workspace')}`,
      choose: () => consent.decide('allowed', shown),
    },
    {
      label: `$(circle-slash) ${plural(shown.length, 'one: Refuse {0} item from this workspace | other: Refuse {0} items from this workspace')}`,
      choose: () => consent.decide('refused', shown),
    },
  ];
}

/** Rows that ask the user again about refused items. */
function second(
  { all: { consent } }: LoadedCustomizations,
  refused: readonly string[],
): readonly AdditionChoice[] {
  if (refused.length === 0) return [];
  const choose = async () => {
    await consent.reopen(refused);
    await commands.executeCommand('folio.focusPanel');
  };
  return [
    {
      label: `$(question) ${plural(refused.length, 'one: Decide again on {0} item that you refused | other: Decide again on {0} items that you refused')}`,
      choose,
    },
  ];
}

function problems({ problems: sentences }: LoadedCustomizations): readonly AdditionChoice[] {
  if (sentences.length === 0) return [];
  return [
    { label: t('Cannot be used'), kind: QuickPickItemKind.Separator },
    ...sentences.map(sentence => ({ label: `$(warning) ${oneLine(sentence, 300)}` })),
  ];
}
