import { type QuickPickItem, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { splitCommandLine } from '../../../platform/settingFiles/externalAgents.ts';
import type { ExternalCommandSetting, WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { type KnownAgent, readRegistry, registryAddress, wellKnownAgents } from './agentRegistry.ts';

type Choice = QuickPickItem & { readonly work: () => Promise<string | undefined> };

export class AgentPicker {
  private readonly settings: Pick<WritableSettings, 'get' | 'change'>;

  private readonly session: Pick<ActiveSession, 'startWith'>;
  private readonly panel: Pick<PanelView, 'focus'>;

  constructor(
    session: Pick<ActiveSession, 'startWith'>,
    panel: Pick<PanelView, 'focus'>,
    settings: Pick<WritableSettings, 'get' | 'change'>,
  ) {
    this.session = session;
    this.panel = panel;
    this.settings = settings;
  }

  /** Starts a session with the agent that the user picks; does nothing if they pick none. */
  async start(from: 'choose' | 'add'): Promise<void> {
    const name = await this[from]();
    if (name === undefined) return;
    await this.session.startWith(name);
    await this.panel.focus();
  }

  /** Picks a configured agent, or adds one. */
  private async choose(): Promise<string | undefined> {
    const all = this.settings.get('agents.external');
    if (Object.keys(all).length === 0) return this.add();
    const choices = Object.entries(all).map(([name, command]) => ({
      label: name,
      description: lineOf(command),
      work: async () => name,
    }));
    const add = { label: `$(add) ${t('Add Agent…')}`, work: () => this.add() };
    return pick([...choices, add], t('Which agent should run the session?'));
  }

  /** Adds one to the user's settings; `undefined` if they chose none. */
  private add(): Promise<string | undefined> {
    const registry = {
      label: `$(cloud-download) ${t('From the ACP registry…')}`,
      description: registryAddress,
      work: () => this.addFromRegistry(),
    };
    const custom = { label: `$(terminal) ${t('Custom command…')}`, work: () => this.addCustom() };
    return pick([...wellKnownAgents.map(agent => this.choiceOf(agent)), registry, custom], addTitle());
  }

  private choiceOf(agent: KnownAgent): Choice {
    const { name, description, command } = agent;
    const detail = description === '' ? undefined : description;
    return { label: name, description: lineOf(command), detail, work: () => this.save(name, command) };
  }

  private async addFromRegistry(): Promise<string | undefined> {
    let agents: readonly KnownAgent[];
    try {
      agents = await readRegistry();
    } catch (error) {
      const text = t(
        'The ACP registry could not be read ({0}). Check the network, or add the agent with a custom command.',
        messageOf(error),
      );
      void window.showWarningMessage(text);
      return undefined;
    }
    if (agents.length > 0)
      return pick(
        agents.map(agent => this.choiceOf(agent)),
        addTitle(),
      );
    void window.showWarningMessage(
      t('The ACP registry lists no agent that npx or uvx can start. Add one with a custom command.'),
    );
    return undefined;
  }

  private async addCustom(): Promise<string | undefined> {
    const line = await window.showInputBox({
      title: addTitle(),
      prompt: t('A program that supports the Agent Client Protocol, and its arguments: my-agent --acp'),
    });
    const [command, ...args] = splitCommandLine(line ?? '');
    if (command === undefined) return undefined;
    const name = await window.showInputBox({
      title: addTitle(),
      prompt: t('Name in Folio'),
      value: command.split(/[\\/]/).at(-1) ?? command,
    });
    return name?.trim() ? this.save(name.trim(), { command, args }) : undefined;
  }

  /** Returns the saved name. Does not replace an agent with another command. */
  private async save(wanted: string, command: ExternalCommandSetting): Promise<string> {
    let name = wanted;
    await this.settings.change('agents.external', before => {
      const isTaken = (present = before[name]) =>
        present !== undefined && lineOf(present) !== lineOf(command);
      for (let count = 2; isTaken(); count++) name = `${wanted} ${count}`;
      return { ...before, [name]: command };
    });
    return name;
  }
}

function addTitle(): string {
  return t('Add an agent to Folio');
}

async function pick(choices: readonly Choice[], title: string): Promise<string | undefined> {
  const chosen = await window.showQuickPick(choices, { title, matchOnDescription: true });
  return chosen?.work();
}

/** Formats the command line with its variables. */
function lineOf({ command, args = [], env = {} }: ExternalCommandSetting): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...variables, command, ...args].join(' ');
}
