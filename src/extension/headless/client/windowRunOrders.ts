/* Builds a window's orders to the host, with its settings, its folders and its stored key. */

import type { RunOrder } from '../../../protocol/background.ts';
import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { workspaceFoldersOf } from '../../../protocol/worktree.ts';
import { fromDefinedEntries } from '../../base/record.ts';
import { CommandError } from '../../core/commandError.ts';
import { configuredAddress, providers } from '../../models/providers.ts';
import { keyVariable } from '../../node/environmentKeys.ts';
import type { Machine } from '../../platform/machine.ts';
import type { ApiKeys } from '../../platform/secrets.ts';
import { settingKeys } from '../../platform/settingFiles/settingKeys.ts';
import type { ProviderName, Settings, SettingValues } from '../../platform/settings.ts';
import type { HostFolder } from './hostFolder.ts';

/** Facts of a window that the host cannot know. */
interface WindowFacts {
  readonly settings: Settings;
  readonly apiKeys: ApiKeys;
  /** Tells which addresses answer without a key. */
  readonly keyless: { is(address: string): boolean };
  readonly env: Machine['env'];
  readonly trust: { readonly isTrusted: boolean };
  readonly connection: { readonly name: ProviderName; readonly isRehearsal: boolean };
  /** Absolute path of the window's sessions. */
  readonly sessionDir: string;
}

export class WindowRunOrders {
  private readonly facts: WindowFacts;
  private readonly folder: HostFolder;

  constructor(facts: WindowFacts, folder: HostFolder) {
    this.facts = facts;
    this.folder = folder;
  }

  /** Throws a `CommandError` if the session needs its window. */
  async run(state: SessionState): Promise<RunOrder> {
    const { trust, connection, sessionDir } = this.facts;
    if (!trust.isTrusted)
      throw new CommandError(t('In a restricted workspace nothing runs in the background.'));
    if (connection.isRehearsal || connection.name === 'vscode')
      throw new CommandError(
        t('This model needs its window. Connect one with a key to run the session in the background.'),
      );
    const folders = [...workspaceFoldersOf(state)];
    const [cwd] = folders;
    if (cwd === undefined)
      throw new CommandError(t('Open a folder first: without one nothing runs in the background.'));
    const { sessionId, mode } = state;
    const settings = await this.folder.writeSettings(sessionId, this.ownSettings());
    const places = ['--workspace', cwd, '--session-dir', sessionDir, '--settings', settings];
    const args = ['--background', '--resume', sessionId, '--approval-mode', mode, ...places];
    return { type: 'run', args, cwd, folders, env: await this.env() };
  }

  /** The window's environment, with the keys that it would use. */
  async env(): Promise<RunOrder['env']> {
    const { settings, env, keyless, apiKeys, connection } = this.facts;
    const merged = new Map(Object.entries(env));
    for (const name of [connection.name, ...settings.get('otherProviders')]) {
      const { keyName } = providers[name];
      if (keyName === undefined) continue;
      const key = keyless.is(configuredAddress(name, settings, env))
        ? undefined
        : await apiKeys.read(keyName);
      merged.set(keyVariable(keyName), key);
    }
    return fromDefinedEntries(merged);
  }

  /** In the format of a settings file. Settings contain no keys. */
  private ownSettings(): object {
    const { settings } = this.facts;
    const own = settingKeys.flatMap(({ key }) => (key.startsWith('folio.') ? [key] : []));
    const set = own.flatMap(key => {
      const name = key.slice('folio.'.length) as keyof SettingValues;
      return settings.isSet(name) ? [[key, settings.get(name)] as const] : [];
    });
    return Object.fromEntries(set);
  }
}
