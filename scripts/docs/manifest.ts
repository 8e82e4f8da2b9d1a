import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../run.ts';

/** Data of package.json for the tables, with the texts of package.nls.json inserted. */
export interface Manifest {
  /** Commands of the palette, without those that are only buttons. */
  readonly commands: readonly CommandEntry[];
  readonly keybindings: readonly Keybinding[];
  /** Sections of VS Code's settings editor. */
  readonly settings: readonly SettingSection[];
}

export interface CommandEntry {
  readonly command: string;
  readonly title: string;
  /** Absent where the title names Folio itself. */
  readonly category?: string;
}

export interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
}

export interface SettingSection {
  readonly title: string;
  /** Position in VS Code. */
  readonly order: number;
  readonly properties: Readonly<Record<string, SettingEntry>>;
}

export interface SettingEntry {
  /** Position in its section. */
  readonly order: number;
  readonly default: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  /** Schema of list members. */
  readonly items?: { readonly enum?: readonly string[] };
}

/** Members of `contributes` in package.json. */
interface Contributions {
  readonly commands: Manifest['commands'];
  readonly keybindings: Manifest['keybindings'];
  readonly menus: {
    readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
  };
  readonly configuration: Manifest['settings'];
}

export async function readManifest(packageJson: string): Promise<Manifest> {
  const texts = JSON.parse(await readFile(join(projectRoot, 'package.nls.json'), 'utf8'));
  const { commands, keybindings, menus, configuration } = inWords(packageJson, texts);
  const hidden = menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
  const reported = commands.filter(({ command }) => !hidden.includes(command));
  return {
    commands: reported,
    // The others send or close a field whose buttons name the key.
    keybindings: keybindings.filter(key => reported.some(({ command }) => command === key.command)),
    settings: configuration,
  };
}

/** Replaces `%name%` by its text, as VS Code does. */
function inWords(packageJson: string, texts: Readonly<Record<string, string>>): Contributions {
  const manifest = JSON.parse(packageJson, (_key, value) => {
    const name = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
    return name === undefined ? value : (texts[name] ?? value);
  });
  return manifest.contributes;
}
